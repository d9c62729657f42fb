#pragma once
/// @file
/// Shapes and what they are made of.

#include "point.hpp"
#include <memory>
#include <vector>

#define SHAPE_VERSION 3
#define SHAPE_CHECK(x) verify(x)

namespace geometry {

namespace detail {
template <typename T> T square(T v) { return v * v; }
}  // namespace detail

inline namespace v2 {

class Canvas;
struct Point;

/// How a shape is filled. Or not.
enum class Fill : char { None, Solid /* all of it */, Striped };
enum Side { Left, Right };

/**
 * A shape.
 *
 * @tparam T the numbers it is made of
 */
template <typename T, int Dim = 2>
class Shape : public Base<T>, private virtual detail::Counted {
 public:
  using Number = T;
  typedef std::vector<T> Numbers;
  static constexpr int kDimensions = Dim;
  static int alive;

  Shape();
  explicit Shape(T size) : size_(size), Base<T>(size) { register_shape(this); }
  Shape(const Shape&) = delete;
  virtual ~Shape() = default;

  /// The area.
  virtual T area() const = 0;
  T scaled(T by) const { return detail::square(by) * this->area() + origin_.length(); }
  T operator[](int i) const { return sides_[i]; }
  explicit operator bool() const { return size_ > T(); }
  bool operator==(const Shape& other) const;
  template <class U> void each(U&& visit);
  friend bool touches(const Shape& a, const Shape& b) { return a.area() > b.area(); }
  friend class Canvas;

  struct Corner {
    T x, y;
    bool sharp = false;
  };
  enum State { Open, Closed };

 protected:
  void changed();

 private:
  Point origin_;
  T size_ = 0;
  Numbers sides_;
  void (*listener_)(int);
  union { int i; float f; };
};

template <typename T>
concept Numeric = sizeof(T) > 1;

template <>
struct hash<Point> {
  size_t operator()(const Point& p) const noexcept { return p.hash(); }
};

template <class T> using Shapes = std::vector<Shape<T>>;
using Handler = void (*)(int);
constexpr double kPi = 3.14159;
extern int debug_level;

Point middle(const Point& a, const Point& b);
[[nodiscard]] auto diagonal(int a) -> double;

}  // namespace v2
}  // namespace geometry
