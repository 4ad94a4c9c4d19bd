// What AuricleAppleAudio uses of AVFAudio, to type-check it where the framework is not. Declarations only.
import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioFramePosition = Int64
public typealias AVAudioNodeBus = Int
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

public enum AVAudioCommonFormat: UInt, Sendable {
  case otherFormat, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32
}

public class AVAudioFormat: NSObject {
  public var sampleRate: Double { fatalError() }
  public var channelCount: UInt32 { fatalError() }
  public var isInterleaved: Bool { fatalError() }
  public var commonFormat: AVAudioCommonFormat { fatalError() }
}

public class AVAudioTime: NSObject {
  public var sampleTime: AVAudioFramePosition { fatalError() }
  public var isSampleTimeValid: Bool { fatalError() }
}

public class AVAudioPCMBuffer: NSObject {
  public var format: AVAudioFormat { fatalError() }
  public var frameLength: AVAudioFrameCount { fatalError() }
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { fatalError() }
}

public class AVAudioNode: NSObject {
  public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError() }
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) { fatalError() }
  public func removeTap(onBus bus: AVAudioNodeBus) { fatalError() }
}

public class AVAudioInputNode: AVAudioNode {}

public class AVAudioEngine: NSObject {
  public override init() { fatalError() }
  public var inputNode: AVAudioInputNode { fatalError() }
  public func prepare() { fatalError() }
  public func start() throws { fatalError() }
  public func stop() { fatalError() }
}

public class AVAudioApplication: NSObject {
  public enum recordPermission: Int, Sendable { case undetermined, denied, granted }
  public class var shared: AVAudioApplication { fatalError() }
  public var recordPermission: recordPermission { fatalError() }
  public class func requestRecordPermission(completionHandler: @escaping @Sendable (Bool) -> Void) { fatalError() }
}

public class AVAudioSession: NSObject {
  public enum InterruptionType: UInt, Sendable { case ended = 0, began = 1 }
  public class var interruptionNotification: Notification.Name { fatalError() }
  public class var routeChangeNotification: Notification.Name { fatalError() }
}

public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

extension Notification.Name {
  public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChangeNotification")
}
