#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A variable of the process's environment; `nil` if it is not set, or empty.
func environmentVariable(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}
