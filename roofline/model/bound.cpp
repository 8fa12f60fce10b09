#include "roofline/model/bound.hpp"

#include <algorithm>

namespace ladder {

double capacity(std::span<const Cache> caches, int level, int threads) {
  double bytes = 0;
  int left = threads;
  for (const Cache& cache : caches)
    if (cache.level == level) {
      const int used = threads > 0 ? std::min(left, cache.count) : cache.count;
      bytes += static_cast<double>(cache.bytes) * used;
      left -= used;
    }
  return bytes;
}

int residency(double footprint_bytes, std::span<const Cache> caches, int threads) {
  int nearest = main_memory;
  for (const Cache& cache : caches)
    if (footprint_bytes <= capacity(caches, cache.level, threads) && (nearest == main_memory || cache.level < nearest))
      nearest = cache.level;
  return nearest;
}

std::string residency_name(int level) { return level == main_memory ? "memory" : "L" + std::to_string(level); }

double ridge(const Roofline& roofline) { return roofline.peak / roofline.bandwidth; }

double attainable(const Roofline& roofline, double intensity) {
  return std::min(intensity * roofline.bandwidth, roofline.peak);
}

Limit limit(const Roofline& roofline, double intensity) {
  return intensity <= ridge(roofline) ? Limit::bandwidth : Limit::arithmetic;
}

double attainable_updates(const Roofline& roofline, double bytes, double flops) {
  return std::min(roofline.bandwidth / bytes, roofline.peak / flops);
}

}  // namespace ladder
