#include "roofline/ceilings/openmp/copy_q.hpp"
#include "roofline/ceilings/openmp/fma.hpp"
#include "roofline/ceilings/openmp/launch.hpp"
#include "roofline/ceilings/openmp/read.hpp"
#include "roofline/ceilings/openmp/stream.hpp"

namespace ladder::ceilings {
namespace {

/// A ceiling that computes in T.
template <template <class> class C>
std::unique_ptr<Ceiling> make(const Request& request) {
  if (request.real == sizeof(float)) return std::make_unique<C<float>>(request);
  return std::make_unique<C<double>>(request);
}

/// A ceiling that computes in T and supports both kinds of store.
template <template <class, Store> class C>
std::unique_ptr<Ceiling> make_writing(const Request& request) {
  const bool nt = request.store == Store::nt;
  if (request.real == sizeof(float)) {
    if (nt) return std::make_unique<C<float, Store::nt>>(request);
    return std::make_unique<C<float, Store::plain>>(request);
  }
  if (nt) return std::make_unique<C<double, Store::nt>>(request);
  return std::make_unique<C<double, Store::plain>>(request);
}

std::unique_ptr<Ceiling> make_launch(const Request&) { return std::make_unique<Launch>(); }

template <class T, Store store>
using StreamCopy = Stream<T, store, Copy>;
template <class T, Store store>
using StreamScale = Stream<T, store, Scale>;
template <class T, Store store>
using StreamAdd = Stream<T, store, Add>;
template <class T, Store store>
using StreamTriad = Stream<T, store, Triad>;
template <class T, Store store>
using Copy9 = CopyQ<T, store, 9>;
template <class T, Store store>
using Copy19 = CopyQ<T, store, 19>;
template <class T, Store store>
using Copy27 = CopyQ<T, store, 27>;
template <class T, Store store>
using Copy37 = CopyQ<T, store, 37>;

constexpr Maker all[] = {
    {"copy", make_writing<StreamCopy>},
    {"scale", make_writing<StreamScale>},
    {"add", make_writing<StreamAdd>},
    {"triad", make_writing<StreamTriad>},
    {"copy-9", make_writing<Copy9>},
    {"copy-19", make_writing<Copy19>},
    {"copy-27", make_writing<Copy27>},
    {"copy-37", make_writing<Copy37>},
    {"read", make<Read>},
    {"fma", make<Fma>},
    {"launch", make_launch},
};

}  // namespace

std::span<const Maker> makers() { return all; }

}  // namespace ladder::ceilings
