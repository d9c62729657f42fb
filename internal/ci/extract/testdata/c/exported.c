MODULE_API int exported(const char *name) { return 0; }
MODULE_API struct settings *settings_of(MODULE_IN int which) { return 0; }

struct MODULE_PACKED settings {
	int width;
};

DEPRECATED("use exported") static inline int old(void) { return exported("x"); }

static MODULE_METHOD(Window, resize)
{
	old();
}
