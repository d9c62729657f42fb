package resolve

// foreignMember holds, for a language, more names that values of its
// standard library have.
var foreignMember = map[string]map[string]bool{"rust": rustMember, "java": javaMember}

var rustMember = wordSet(`
abs all and_then any append arg args arms as_bytes as_deref as_deref_mut
as_encoded_bytes as_mut as_mut_slice as_os_str as_path as_ptr as_ref as_slice
as_str as_string await borrow borrow_mut buffer by_ref bytes canonicalize
capacity chain char_indices chars checked_add checked_div checked_mul
checked_sub child chunks clear clone cloned cmp collect components concat
contains contains_key copied copy_from_slice count create create_new
current_dir cycle dedup dedup_by default deref display downcast_ref drain
elapsed end entry enumerate env env_clear eq eq_ignore_ascii_case err exists
exit_code expect expect_err extend extend_from_slice extension fetch_add
fetch_sub file_name file_stem file_type fill filter filter_map finish find
find_map first flat_map flatten flush fmt fold for_each from get get_mut
get_or_insert get_or_insert_with hash index insert inspect into into_boxed_slice
into_bytes into_inner into_iter into_os_string into_path_buf into_string
is_absolute is_alphabetic is_alphanumeric is_ascii is_char_boundary is_dir
is_digit is_empty is_err is_file is_none is_numeric is_ok is_relative is_some
is_some_and is_symlink is_whitespace iter iter_mut join keys kind last
last_mut last_os_error len lines load lock lossy map map_err map_or map_or_else
map_while max max_by max_by_key metadata min min_by min_by_key modified
name next next_back ne next_if nth ok ok_or ok_or_else open or_default
or_else or_insert or_insert_with output parent parse partial_cmp partition
path peek peekable pop pop_front position product push push_back push_str read
read_dir read_exact read_line read_to_end read_to_string recv recv_timeout
remove repeat replace replacen reserve resize retain rev rfind rposition
rsplit rsplitn saturating_add saturating_sub scan seek send set skip
skip_while sort sort_by sort_by_key sort_unstable spawn split split_at
split_at_mut split_first split_last split_off split_once split_terminator
split_whitespace splitn starts_with status stderr stdin stdout step_by store
strip_prefix strip_suffix sum swap sync_all take take_while then then_some
to_ascii_lowercase to_ascii_uppercase to_bytes to_le_bytes to_lowercase
to_owned to_path_buf to_str to_string to_string_lossy to_uppercase to_vec trim
trim_end trim_end_matches trim_matches trim_start trim_start_matches truncate
try_borrow try_from try_into try_lock try_recv unwrap unwrap_err unwrap_or
unwrap_or_default unwrap_or_else unzip values values_mut wait windows
with_capacity with_extension with_file_name wrapping_add wrapping_sub write
write_all write_fmt write_str zip
`)

var javaMember = wordSet(`
accept addAll allMatch andThen anyMatch append appendCodePoint apply arrayLength
asList asSubclass await booleanValue byteValue cast ceilingKey chars charValue clone
codePoints collect compareTo compareToIgnoreCase compute computeIfAbsent
computeIfPresent containsAll containsKey containsValue copyOf deleteCharAt
descendingMap doubleValue elementAt emptyList ensureCapacity entrySet
equalsIgnoreCase exceptionally filter findAny findFirst firstKey flatMap
floatValue floorKey flush forEach generateToken getActualTypeArguments
getAndIncrement getAndSet getAnnotation getBytes getCanonicalName getCause
getChars getClass getClassLoader getComponentType getConstructor
getConstructors getDeclaredConstructor getDeclaredField getDeclaredFields
getDeclaredMethod getDeclaredMethods getDeclaringClass getEnumConstants
getField getFields getGenericType getInputStream getInterfaces getKey
getLocalizedMessage getMessage getMethod getMethods getModifiers getName
getOrDefault getOutputStream getPackage getParameterTypes getParameters
getParent getPath getProperty getRawType getResource getResourceAsStream
getReturnType getSimpleName getStackTrace getSuperclass getSuppressed getType
getTypeName getValue hasMoreElements hasMoreTokens hasNext headMap ifPresent
incrementAndGet initCause insert intValue interrupt invoke isArray isAssignableFrom
isBlank isDirectory isEnum isFile isInstance isInterface isPresent isPrimitive
iterator keySet lastKey limit lineSeparator lines listFiles listIterator
longValue lookingAt mapToInt mapToObj matcher matches merge mkdirs newInstance
newLine nextElement nextInt nextLine nextToken noneMatch notify notifyAll
orElse orElseGet orElseThrow parallelStream parseInt peek print printStackTrace
println putAll putIfAbsent readLine readObject regionMatches removeAll removeIf
replaceFirst retainAll run runAsync setAccessible setCharAt setLength
setStackTrace setTime setTimeZone shortValue shutdown sleep sorted split
startsWith stream subList submit subMap substring supplyAsync tailMap thenApply
thenCompose toByteArray toCharArray toGenericString toInstant toMillis toPath
toURI toURL transferTo trimToSize valueOf values writeObject writeTo
`)
