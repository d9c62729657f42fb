#include "shape.hpp"

#include <string>

using namespace std;
using detail::square;
namespace geo = geometry::detail;

namespace {
int hidden() { return 1; }
class Secret {
 public:
  int open();
};
}  // namespace

namespace geometry {

class Circle final : public Shape<double> {
 public:
  Circle(Point at, double radius);
  ~Circle() override;
  double area() const override;
  void draw(Canvas& canvas);
  void draw(Canvas& canvas, int times);
  static Circle unit();

 private:
  Point at_;
  Brush* brush_;
};

/// Makes a circle.
Circle::Circle(Point at, double radius) : Shape<double>(radius), at_(at) { changed(); }

Circle::~Circle() { hidden(); }

double Circle::area() const { return kPi * square(at_.length()); }

void Circle::draw(Canvas& canvas) {
  this->draw(canvas, 1);
  canvas.line(at_);
  brush_->dip();
  Pen pen(3);
  pen.stroke(canvas);
  auto other = Circle::unit();
  other.area();
  auto* made = new Pen(4);
  made->stroke(canvas);
  for (const Point& p : canvas.points()) {
    p.length();
  }
  auto each = [&](Pen& tip) { tip.stroke(canvas); };
  each(pen);
  std::make_unique<Pen>(5);
  if (auto found = canvas.find()) found->close();
}

void Circle::draw(Canvas& canvas, int times) {
  while (times-- > 0) draw(canvas);
}

Circle Circle::unit() { return Circle(Point(), 1); }

int Shape<double>::alive = 0;

template <typename T, int Dim>
bool Shape<T, Dim>::operator==(const Shape& other) const {
  return area() == other.area();
}

namespace detail {
int* counter() { return nullptr; }
int& reference() { return *counter(); }
}  // namespace detail

}  // namespace geometry

int geometry::Canvas::width() const { return 3; }

extern "C" {
int shape_abi(void);
}
extern "C" void shape_entry() { geometry::detail::counter(); }

TEST_F(CircleTest, HasAnArea) { EXPECT_EQ(1, hidden()); }

static const auto twice = [](int x) { return 2 * x; };

int main() {
  Secret s;
  return s.open() + twice(1);
}
