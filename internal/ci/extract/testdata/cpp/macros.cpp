LIB_BEGIN_NAMESPACE
namespace lib {

class LIB_API Exported : public Base {
 public:
  LIB_INLINE LIB_CONSTEXPR int size() const { return size_; }
  LIB_NODISCARD("keep it") bool empty() const;

 private:
  int size_;
};

LIB_FUNC void report(const char* text) { write(text); }

}  // namespace lib
LIB_END_NAMESPACE

TEST_CASE("reports what there is", "[report]") {
  lib::report("x");
}
