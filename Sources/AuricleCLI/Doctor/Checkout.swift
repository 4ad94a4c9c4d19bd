import Foundation

/// The checkout that the program was built in, which is where setting up is done.
enum Checkout {
  /// A remedy that can be copied in any folder: `make setup` alone works in the checkout only.
  static func remedy(_ remedy: String, checkout: String = built) -> String {
    let isThere = SystemCalls.kind(checkout + "/Makefile") != nil
    let command = isThere ? "make -C \(ShellWord.quoted(checkout)) setup" : "make setup in a checkout of Auricle"
    return remedy.replacing("make setup", with: command)
  }

  /// `Sources/AuricleCLI/Doctor/<this file>` lies in it.
  static let built: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()
}

/// Words as a shell takes them.
enum ShellWord {
  /// The text as one word: as it is when nothing in it means anything to a shell, in quotes otherwise.
  static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy(plain.contains)
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@".utf8)
}
