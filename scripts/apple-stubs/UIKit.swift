// What AuricleAppleAudio uses of UIKit, to type-check it where the framework is not. Declarations only.
import Foundation

public class UIApplication: NSObject {
  public class var willResignActiveNotification: Notification.Name { fatalError() }
  public class var didEnterBackgroundNotification: Notification.Name { fatalError() }
}
