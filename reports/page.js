// Conveniences: everything can be read without this script.

// Buttons below each figure: enlarge it, zoom. Above it: show a single series; `data-series` has that of each gnuplot group.
for (const figure of document.querySelectorAll("figure:not(.small)")) {
  const svgs = [...figure.querySelectorAll("svg")], tools = document.createElement("div"), choices = document.createElement("div");
  tools.className = choices.className = "tools";
  figure.querySelector("figcaption").prepend(tools);
  const add = (place, text, pressed, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-pressed", pressed);
    button.onclick = () => act(button);
    place.append(button);
    return button;
  };
  let zoom = 100;
  const resize = (to) => {
    zoom = Math.min(800, Math.max(100, to));
    for (const svg of svgs) {
      svg.style.width = zoom + "%";
      svg.style.height = figure.classList.contains("large") ? zoom + "%" : "";
    }
  };
  const large = add(tools, "enlarge", false, () => {
    const on = figure.classList.toggle("large");
    large.setAttribute("aria-pressed", on);
    large.textContent = on ? "close" : "enlarge";
    resize(100);
  });
  add(tools, "+", false, () => resize(zoom * 1.4));
  add(tools, "−", false, () => resize(zoom / 1.4));
  figure.addEventListener("keydown", (e) => { if (e.key === "Escape" && figure.classList.contains("large")) large.click(); });
  const series = new Map();
  (figure.dataset.series || "").split("|").forEach((name, i) => {
    const groups = svgs.flatMap((svg) => [...svg.querySelectorAll(`g[id$="gnuplot_plot_${i + 1}"]`)]);
    if (name && groups.length > 0) series.set(name, [...(series.get(name) || []), ...groups]);
  });
  if (series.size < 2) continue;
  const show = (chosen, pressed) => {
    for (const [key, groups] of series)
      for (const g of groups) g.classList.toggle("away", chosen !== null && key !== chosen);
    for (const b of buttons) b.setAttribute("aria-pressed", b === pressed);
  };
  figure.querySelector(".scroll").before(choices);
  const buttons = [add(choices, "show all", true, (b) => show(null, b))];
  for (const key of series.keys()) buttons.push(add(choices, key, false, (b) => show(key, b)));
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

// A link to a part of another machine selects that machine, and opens the folds around the part.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.matches("input[type=radio]")) {
    target.checked = true;
    if (document.querySelectorAll("article").length > 1) target.closest("article").scrollIntoView();
    else scrollTo(0, 0);
    return;
  }
  const article = target.closest("article");
  for (let e = target; e && e !== article; e = e.parentElement) {
    if (e.matches("details")) e.open = true;
    if (!e.matches(".on")) continue;
    const inputs = [...article.querySelectorAll(".machines input")];
    const of = (input) => e.classList.contains("on-" + input.className.slice(2));
    if (!inputs.some((input) => input.checked && of(input))) inputs.find(of).checked = true;
  }
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
addEventListener("click", (e) => { if (e.target.closest('a[href^="#"]')) setTimeout(reveal); });
reveal();
addEventListener("load", reveal);  // after the browser has scrolled by itself
for (const input of document.querySelectorAll(".machines input"))
  input.onchange = () => history.replaceState(null, "", "#" + input.id);
