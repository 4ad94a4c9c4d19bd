/// A microphone as an ambient capture sees it: it pushes, and does nothing before it is told to.
///
/// Making one installs observers at most: no engine, no tap, no request, no recording.
public protocol AmbientAudioSource: Sendable {
  /// Whether the system lets this program listen, as of now.
  var permission: CapturePermission { get }

  /// Asks the system, and the user where the system does.
  /// - Parameter completion: Called once, on any thread.
  func requestPermission(_ completion: @escaping @Sendable (CapturePermission) -> Void)

  /// Begins to deliver. Called while it is stopped, from one thread at a time.
  /// - Parameter sink: Takes buffers and events of this attempt, on any one thread at a time, also before this returns.
  /// - Throws: Anything, when it cannot start; it is stopped then.
  func start(_ sink: AmbientSink) throws

  /// Stops delivering and lets go of the device. What it delivers late is refused by the sink.
  ///
  /// It may be called from within a delivery, so it must not wait for that delivery to return.
  /// - Throws: Anything, when the device could not be let go of: the capture then never starts again.
  func stop() throws
}

/// Takes what a source delivers in one attempt. After the attempt it refuses everything, and wipes it.
public struct AmbientSink: Sendable {
  /// The attempt, counted from 1.
  public let epoch: UInt64
  private let isOpen: @Sendable (UInt64) -> Bool
  private let onBuffer: @Sendable (CapturePCMBuffer, UInt64) -> Void
  private let onEvent: @Sendable (AmbientSourceEvent, UInt64) -> Void

  init(
    epoch: UInt64, isOpen: @escaping @Sendable (UInt64) -> Bool,
    onBuffer: @escaping @Sendable (CapturePCMBuffer, UInt64) -> Void,
    onEvent: @escaping @Sendable (AmbientSourceEvent, UInt64) -> Void
  ) {
    self.epoch = epoch
    self.isOpen = isOpen
    self.onBuffer = onBuffer
    self.onEvent = onEvent
  }

  /// Hands a buffer over for good: it is delivered or dropped, and overwritten before this returns.
  public func receive(_ buffer: CapturePCMBuffer) { onBuffer(buffer, epoch) }

  /// Copies what a device delivered, averaged to mono, and hands that over. What cannot be taken ends the capture with its
  /// reason. Nothing is copied once the attempt is over.
  public func receive(_ input: AmbientDeviceInput, sampleOffset: Int64) {
    guard isOpen(epoch) else { return }
    do throws(AmbientError) {
      receive(try CapturePCMBuffer(input, sampleOffset: sampleOffset))
    } catch {
      onEvent(.failed(AmbientReason(error)), epoch)
    }
  }

  /// Tells something about the source.
  public func notify(_ event: AmbientSourceEvent) { onEvent(event, epoch) }
}

/// What a source tells beside sound.
public enum AmbientSourceEvent: Sendable, Hashable {
  /// A boundary at which the capture stops.
  case interrupted(AmbientInterruption)
  /// The system's permission changed.
  case permissionChanged(CapturePermission)
  /// It cannot go on, for a reason.
  case failed(AmbientReason)
}

/// Hears what everyone agreed to.
public protocol AmbientPCMConsumer: Sendable {
  /// Borrows a buffer. Be short: while this runs, further buffers are dropped, and a withdrawal waits for it.
  ///
  /// The capture's lifecycle methods must not be called from here.
  /// - Parameters:
  ///   - buffer: Overwritten as soon as this returns or throws; neither it nor its pointer must be kept.
  ///   - epoch: The attempt that it belongs to. Buffers of two epochs are never one stretch of sound.
  /// - Throws: Anything; the capture stops then.
  func consume(_ buffer: CapturePCMBuffer, epoch: UInt64) throws
}
