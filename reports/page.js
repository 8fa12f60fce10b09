// Conveniences: everything can be read without this script.

// Buttons above each figure: enlarge it, zoom, show a single series. `data-series` has the series of each gnuplot group.
for (const figure of document.querySelectorAll("figure")) {
  const svgs = [...figure.querySelectorAll("svg")], tools = document.createElement("div");
  tools.className = "tools";
  figure.prepend(tools);
  const add = (text, pressed, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-pressed", pressed);
    button.onclick = () => act(button);
    tools.append(button);
    return button;
  };
  let zoom = 100;
  const resize = (to) => { zoom = Math.min(800, Math.max(100, to)); svgs.forEach((svg) => { svg.style.width = zoom + "%"; }); };
  const large = add("enlarge", false, () => {
    const on = figure.classList.toggle("large");
    large.setAttribute("aria-pressed", on);
    large.textContent = on ? "close" : "enlarge";
    resize(100);
  });
  add("+", false, () => resize(zoom * 1.4));
  add("−", false, () => resize(zoom / 1.4));
  figure.addEventListener("keydown", (e) => { if (e.key === "Escape" && figure.classList.contains("large")) large.click(); });
  const series = new Map();
  (figure.dataset.series || "").split("|").forEach((name, i) => {
    const groups = figure.querySelectorAll(`g[id$="gnuplot_plot_${i + 1}"]`);
    if (name && groups.length) series.set(name, [...(series.get(name) || []), ...groups]);
  });
  if (series.size < 2) continue;
  const show = (chosen, pressed) => {
    for (const [key, groups] of series)
      for (const g of groups) g.classList.toggle("away", chosen !== null && key !== chosen);
    for (const b of buttons) b.setAttribute("aria-pressed", b === pressed);
  };
  const buttons = [add("show all", true, (b) => show(null, b))];
  for (const key of series.keys()) buttons.push(add(key, false, (b) => show(key, b)));
}

// A field that filters the tables of all rates. A row is shown if it contains all of the words.
const rates = document.querySelectorAll(".rates");
if (rates.length > 0) {
  const filter = document.createElement("input"), label = document.createElement("label");
  filter.type = "search";
  filter.placeholder = "e.g. cuda box-1024 f32 h200";
  label.className = "filter";
  label.append("Show rows with ", filter);
  rates[0].before(label);
  filter.oninput = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const table of rates) {
      const heads = table.querySelectorAll("thead th");
      let shown = 0;
      for (const row of table.querySelectorAll("tbody tr")) {
        // Machine names are column headings; they count for the rows that have a value in the column.
        const named = [...row.cells].map((cell, i) =>
          cell.textContent === "—" ? "" : cell.textContent + " " + heads[i].textContent);
        const text = named.join(" ").toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      table.hidden = shown === 0;
      table.open = words.length > 0 && shown > 0;
    }
  };
}
