package resolve

// commonMember holds names that values of the languages and of their standard
// libraries have: lists, strings, maps, files, promises, options. A call of
// one of them on a value of unknown type says nothing about who is called.
var commonMember = wordSet(`
absolute acquire acquire_lock adaptError addClassCleanup addCleanup
addEventListener addFilter addHandler addTypeEqualityFunc add_argument
add_argument_group add_mutually_exclusive_group add_note add_subparsers
anchor andThen append appendChild appendleft apply args asLeft asRight
as_integer_ratio as_posix as_uri assertAlmostEqual assertAlmostEquals
assertCountEqual assertDictContainsSubset assertDictEqual assertEqual
assertEquals assertFalse assertGreater assertGreaterEqual assertIn assertIs
assertIsInstance assertIsNone assertIsNot assertIsNotNone assertLess
assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs
assertNotAlmostEqual assertNotAlmostEquals assertNotEqual assertNotEquals
assertNotIn assertNotIsInstance assertNotRegex assertNotRegexpMatches
assertRaises assertRaisesRegex assertRaisesRegexp assertRegex
assertRegexpMatches assertSequenceEqual assertSetEqual assertTrue
assertTupleEqual assertWarns assertWarnsRegex assert_ assert_any_call
assert_called assert_called_once assert_called_once_with assert_called_with
assert_has_calls assert_not_called astimezone attach_mock attempt bimap bind
bit_count bit_length buffer c_contiguous call callHandlers call_args
call_args_list call_count called capitalize casefold cast catch center
charAt charCodeAt chmod clear close closed codePointAt collect collectFirst
combine communicate compile compose concat configure_mock conjugate contains
contiguous convert_arg_line_to_args copy copyWithin count countTestCases
create critical ctime curried daemon date days debug decode
defaultTestResult default_factory delete denominator destroy detach
difference difference_update discard dispatchEvent distinct doClassCleanups
doCleanups done drain drive drop dropWhile elements emit encode encoding
endpos endsWith endswith enterClassContext enterContext entries equals error
errors evalMap every exception exec execute exists exit expand expandtabs
expanduser extend extendleft f_contiguous fail failIf failIfAlmostEqual
failIfEqual failUnless failUnlessAlmostEqual failUnlessEqual
failUnlessRaises failureException fatal fileno fill filter filterNot finally
find findCaller findIndex findLast findLastIndex findall finditer flags flat
flatMap flush fold foldLeft foldRight forEach forall foreach format
format_help format_map format_usage fromOption from_bytes fromhex
fromisocalendar fromisoformat fromkeys fromordinal fromtimestamp fullmatch
getAttribute getChild getDate getEffectiveLevel getFullYear getMonth getName
getOrElse getTime get_default getbuffer getvalue gi_code gi_frame gi_running
gi_suspended gi_yieldfrom glob group groupBy groupdict groupindex groups
handle handleError handleErrorWith hardlink_to hasHandlers hasOwnProperty
hashCode head headOption home hour ident imag includes index indexOf info
init insert intersection intersection_update isDaemon isDefined isEmpty
isEnabledFor isPrototypeOf isSet is_absolute is_alive is_block_device
is_char_device is_dir is_fifo is_file is_integer is_mount is_relative_to
is_reserved is_set is_socket is_symlink isalnum isalpha isascii isatty
isdecimal isdigit isdisjoint isidentifier islower isnumeric isocalendar
isoformat isoweekday isprintable isspace issubset issuperset istitle isupper
items itemsize iterator iterdir join joinpath json keys kill last
lastIndexOf lastOption lastgroup lastindex lchmod leftMap length
line_buffering link_to listen ljust localeCompare locked locked_lock
longMessage lower lstat lstrip makeRecord maketrans manager match matchAll
maxDiff maxlen merge microsecond microseconds minute mkString mkdir
mock_add_spec mock_calls month most_common move_to_end name native_id nbytes
ndim newlines next nonEmpty none normalize numerator once open orElse orNull
owner padEnd padStart parent parents parse_args parse_intermixed_args
parse_known_args parse_known_intermixed_args partition parts pattern pipe
poll popitem popleft print_help print_usage product productL productR pure
push querySelector querySelectorAll raiseError read read1 read_bytes
read_text readable readinto readinto1 readline readlines readlink readonly
real reconfigure redeem reduce reduceRight register regs reject relative_to
release release_lock remove removeChild removeEventListener removeFilter
removeHandler removed removeprefix removesuffix rename render repeat replace
replaceAll reset_mock resolution resolve return_value reverse rfind rglob
rindex rjust rmdir root rotate rpartition rsplit rstrip samefile scanner
search second seconds seek seekable send send_signal sequence setAttribute
setDaemon setLevel setName setUp setUpClass set_defaults setdefault shape
shift shortDescription show side_effect size skipTest slice some sort sortBy
sortWith sorted span splice split splitlines start startsWith startswith
stat stem step stop strftime strides string strip strptime subTest subn
suboffsets substr substring subtract suffix suffixes swapcase symlink_to
symmetric_difference symmetric_difference_update tail take takeWhile
tearDown tearDownClass tell terminate test text then throw time timestamp
timetuple timetz title toArray toBe toEqual toFixed toISOString toLeft
toList toLocaleString toLowerCase toMap toOption toPrecision toReversed
toRight toSeq toSet toSorted toSpliced toString toThrow toUpperCase toVector
to_bytes tobytes today tolist toordinal toreadonly total total_seconds touch
translate traverse trim trimEnd trimStart truncate tupled tzinfo tzname
unapply union universal_newlines unlessA unlink unshift unzip update updated
upper utcfromtimestamp utcnow utcoffset utctimetuple valueOf values void
wait warn warning weekday whenA with withFilter with_name with_stem
with_suffix with_traceback writable write write_bytes write_text
write_through writelines year zfill zipWithIndex
`)

// pythonBuiltin holds the names that Python gives every file.
var pythonBuiltin = wordSet(`
abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable
chr classmethod compile complex copyright credits delattr dict dir divmod
enumerate eval exec exit filter float format frozenset getattr globals
hasattr hash help hex id input int isinstance issubclass iter len license
list locals map max memoryview min next object oct open ord pow print
property quit range repr reversed round set setattr slice sorted
staticmethod str sum super tuple type vars zip
`)

// jsBuiltin holds objects that browsers and Node give every file.
var jsBuiltin = wordSet(`
Array ArrayBuffer Atomics BigInt Boolean Buffer DataView Date Error Function
Intl Iterator JSON Map Math Number Object Promise Proxy Reflect RegExp Set
String Symbol URL URLSearchParams WeakMap WeakRef WeakSet console document
fetch global globalThis history localStorage location module navigator
performance process require sessionStorage window
`)
