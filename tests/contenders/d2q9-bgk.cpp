// A program in the UoB-HPC format that is not a rung of this project. It reads a parameter file and an obstacle file, writes
// final_state.dat and av_vels.dat to its working folder, and prints its time. Macros turn it into wrong programs:
//   WRONG_PHYSICS   relaxes three per cent too slowly
//   WRITES_NAN      writes NaN for one pressure
//   WRITES_NOTHING  exits without writing its files
//   CUTS_FILES      writes only half of the final state
//   SHORT_HISTORY   omits the average speed of the last step
//   STALE_FILES     writes links to the files of an earlier run, which it keeps next to its executable
//   SERVES_FILES    writes copies of the files that an earlier run of as many steps left next to its executable
//   SKIPS_STEPS     computes only the first thousand steps; the average speeds of the others are those of the last
//   PRINTS_MILLISECONDS  prints its time in milliseconds, before 20 MB of other output
//   CRASHES         is killed by a signal before it writes
//   FAILS           exits with code 1
//   HANGS           never exits, and leaves a child process that ignores signals
//   CLAIMS_LITTLE   prints a thousandth of its time
//   CLAIMS_MUCH     prints a thousand times its time
//   SILENT          prints no time
// and another one makes it a parallel program:
//   WITH_MPI        divides the rows among its processes, refuses to run if they cannot be divided, and prints three times
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

namespace {

constexpr int q = 9;
constexpr int cx[q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr int cy[q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr int opposite[q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr float weight[q] = {4.F / 9, 1.F / 9, 1.F / 9, 1.F / 9, 1.F / 9, 1.F / 36, 1.F / 36, 1.F / 36, 1.F / 36};

struct Parameters {
  int nx = 0, ny = 0, steps = 0, reynolds_dim = 0;
  float density = 0, accel = 0, omega = 0;
};

/// Populations, site by site: f[(y * nx + x) * q + i].
struct Flow {
  Parameters p;
  std::vector<char> solid;
  std::vector<float> f, moved;
};

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

Flow read(const char* params, const char* obstacles) {
  Flow flow;
  Parameters& p = flow.p;
  std::FILE* file = std::fopen(params, "r");
  if (file == nullptr ||
      std::fscanf(file, "%d %d %d %d %f %f %f", &p.nx, &p.ny, &p.steps, &p.reynolds_dim, &p.density, &p.accel, &p.omega) != 7)
    stop("could not read the parameters");
  std::fclose(file);
#ifdef WRONG_PHYSICS
  p.omega *= 0.97F;
#endif
  const auto sites = static_cast<std::size_t>(p.nx) * p.ny;
  flow.solid.resize(sites);
  file = std::fopen(obstacles, "r");
  if (file == nullptr) stop("could not read the obstacles");
  for (int x = 0, y = 0, blocked = 0; std::fscanf(file, "%d %d %d", &x, &y, &blocked) == 3;)
    flow.solid[static_cast<std::size_t>(y) * p.nx + x] = 1;
  std::fclose(file);
  flow.f.resize(sites * q);
  flow.moved.resize(sites * q);
  for (std::size_t n = 0; n < flow.f.size(); ++n)
    flow.f[n] = p.density * weight[n % q];
  return flow;
}

struct Moments {
  float density, ux, uy;
};

Moments moments(const float* f) {
  float density = 0, x = 0, y = 0;
  for (int i = 0; i < q; ++i) {
    density += f[i];
    x += f[i] * static_cast<float>(cx[i]);
    y += f[i] * static_cast<float>(cy[i]);
  }
  return {density, x / density, y / density};
}

/// Accelerates the second row from the top.
void accelerate(Flow& flow) {
  const Parameters& p = flow.p;
  const float w1 = p.density * p.accel / 9, w2 = p.density * p.accel / 36;
  for (int x = 0; x < p.nx; ++x) {
    const std::size_t n = static_cast<std::size_t>(p.ny - 2) * p.nx + x;
    float* f = &flow.f[n * q];
    if (flow.solid[n] != 0 || f[3] - w1 <= 0 || f[6] - w2 <= 0 || f[7] - w2 <= 0) continue;
    f[1] += w1;
    f[5] += w2;
    f[8] += w2;
    f[3] -= w1;
    f[6] -= w2;
    f[7] -= w2;
  }
}

/// The rows of this process.
struct Rows {
  int begin, end;
};

void stream(Flow& flow, Rows rows) {
  const Parameters& p = flow.p;
  for (int y = rows.begin; y < rows.end; ++y)
    for (int x = 0; x < p.nx; ++x)
      for (int i = 0; i < q; ++i) {
        const int fx = (x - cx[i] + p.nx) % p.nx, fy = (y - cy[i] + p.ny) % p.ny;
        flow.moved[(static_cast<std::size_t>(y) * p.nx + x) * q + i] =
            flow.f[(static_cast<std::size_t>(fy) * p.nx + fx) * q + i];
      }
  flow.f.swap(flow.moved);
}

/// Reflects populations at obstacles and relaxes the others; returns the average speed.
double collide(Flow& flow, Rows rows) {
  double speeds = 0;
  std::size_t fluid = 0;
  for (std::size_t n = static_cast<std::size_t>(rows.begin) * flow.p.nx; n < static_cast<std::size_t>(rows.end) * flow.p.nx;
       ++n) {
    float* f = &flow.f[n * q];
    if (flow.solid[n] != 0) {
      for (const int i : {1, 2, 5, 6})
        std::swap(f[i], f[opposite[i]]);
      continue;
    }
    const auto [density, ux, uy] = moments(f);
    const float square = ux * ux + uy * uy;
    for (int i = 0; i < q; ++i) {
      const float u = static_cast<float>(cx[i]) * ux + static_cast<float>(cy[i]) * uy;
      f[i] += flow.p.omega * (weight[i] * density * (1 + 3 * u + 4.5F * u * u - 1.5F * square) - f[i]);
    }
    speeds += std::sqrt(square);
    ++fluid;
  }
#ifdef WITH_MPI
  // Simple rather than fast: every process gets the whole lattice.
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, flow.f.data(), (rows.end - rows.begin) * flow.p.nx * q, MPI_FLOAT,
                MPI_COMM_WORLD);
  double sums[] = {speeds, static_cast<double>(fluid)};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sums[0] / sums[1];
#endif
  return speeds / static_cast<double>(fluid);
}

[[maybe_unused]] void write(const Flow& flow, const std::vector<double>& speeds) {
  const Parameters& p = flow.p;
  std::FILE* file = std::fopen("final_state.dat", "w");
  if (file == nullptr) stop("could not write the final state");
  for (int y = 0; y < p.ny; ++y)
    for (int x = 0; x < p.nx; ++x) {
      const std::size_t n = static_cast<std::size_t>(y) * p.nx + x;
      Moments m = {p.density, 0, 0};
      if (flow.solid[n] == 0) m = moments(&flow.f[n * q]);
      double pressure = m.density / 3;
#ifdef WRITES_NAN
      if (x == 5 && y == 3) pressure = std::numeric_limits<double>::quiet_NaN();
#endif
#ifdef CUTS_FILES
      if (y >= p.ny / 2) break;
#endif
      std::fprintf(file, "%d %d %.12E %.12E %.12E %.12E %d\n", x, y, m.ux, m.uy, std::hypot(m.ux, m.uy), pressure,
                   flow.solid[n]);
    }
  std::fclose(file);
  file = std::fopen("av_vels.dat", "w");
  if (file == nullptr) stop("could not write the average speeds");
  std::size_t count = speeds.size();
#ifdef SHORT_HISTORY
  --count;
#endif
  for (std::size_t step = 0; step < count; ++step)
    std::fprintf(file, "%zu:\t%.12E\n", step, speeds[step]);
  std::fclose(file);
}

#ifdef STALE_FILES
/// Keeps the files of the first run; later runs write links to them.
void link_to_first(const std::filesystem::path& kept) {
  for (const char* name : {"final_state.dat", "av_vels.dat"}) {
    if (!std::filesystem::exists(kept / name)) std::filesystem::copy_file(name, kept / name);
    std::filesystem::remove(name);
    std::filesystem::create_symlink(kept / name, name);
  }
}
#endif

#ifdef SERVES_FILES
/// Copies the files of an earlier run of as many steps here, or keeps those of this one for later runs.
bool serve(const std::filesystem::path& kept, bool is_kept_now) {
  for (const char* name : {"final_state.dat", "av_vels.dat"}) {
    if (is_kept_now) std::filesystem::copy_file(name, kept / name);
    if (!std::filesystem::exists(kept / name)) return false;
    if (!is_kept_now) std::filesystem::copy_file(kept / name, name);
  }
  return true;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) stop("usage: d2q9-bgk PARAMS OBSTACLES");
  [[maybe_unused]] const auto start = std::chrono::steady_clock::now();
  Flow flow = read(argv[1], argv[2]);
  Rows rows = {0, flow.p.ny};
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  int rank = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (flow.p.ny % processes != 0) {
    if (rank == 0) std::fprintf(stderr, "%d rows cannot be divided among %d processes\n", flow.p.ny, processes);
    MPI_Finalize();
    return 1;
  }
  rows = {flow.p.ny / processes * rank, flow.p.ny / processes * (rank + 1)};
#endif
#ifdef HANGS
  if (fork() == 0) setsid();
  signal(SIGTERM, SIG_IGN);
  for (;;)
    pause();
#endif
#ifdef FAILS
  stop("out of patience");
#endif
#ifdef SERVES_FILES
  const auto kept = std::filesystem::canonical("/proc/self/exe").parent_path() / std::to_string(flow.p.steps);
  std::filesystem::create_directory(kept);
  if (serve(kept, false)) {
    std::printf("Elapsed time: 1 ms\n");
    return 0;
  }
#endif
  std::vector<double> speeds;
  const auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < flow.p.steps; ++step) {
#ifdef SKIPS_STEPS
    if (step >= 1000) {
      speeds.push_back(speeds.back());
      continue;
    }
#endif
    accelerate(flow);
    stream(flow, rows);
    speeds.push_back(collide(flow, rows));
  }
  [[maybe_unused]] double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
#ifdef CRASHES
  std::abort();
#endif
#ifdef CLAIMS_LITTLE
  seconds /= 1000;
#endif
#ifdef CLAIMS_MUCH
  seconds *= 1000;
#endif
#ifdef PRINTS_MILLISECONDS
  std::printf("Elapsed time: %.6f ms\n", 1e3 * seconds);
  for (int line = 0; line < 250'000; ++line)
    std::printf("a line of eighty characters of which there are so many that nobody reads them ..\n");
#elif defined(WITH_MPI)
  if (rank == 0) {
    const double initial = std::chrono::duration<double>(begin - start).count();
    std::printf("Elapsed Init time: %.9f (s)\nElapsed Compute time: %.9f (s)\nElapsed Collate time: 0.0 (s)\n", initial,
                seconds);
  }
  MPI_Finalize();
  if (rank > 0) return 0;
#elif !defined(SILENT)
  std::printf("==done==\nElapsed time:\t\t\t%.9f (s)\n", seconds);
#endif
#ifndef WRITES_NOTHING
  write(flow, speeds);
#endif
#ifdef SERVES_FILES
  serve(kept, true);
#endif
#ifdef STALE_FILES
  link_to_first(std::filesystem::canonical("/proc/self/exe").parent_path());
#endif
}
