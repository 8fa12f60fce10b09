// Idea:    doubles numbers
// Layout:  one array
// Traffic: 8 + 8 bytes
// Source:  none
// Bound:   none
#include <array>

volatile double number = 1;

void advance() {
  std::array<double, 64> a{};
  for (double& x : a)
    x = 2 * number;
  number = a[0];
}
