// What AuricleAppleAudio uses of AppKit, to type-check it where the framework is not. Declarations only.
import Foundation

public class NSApplication: NSObject {
  public class var willResignActiveNotification: Notification.Name { fatalError() }
}
