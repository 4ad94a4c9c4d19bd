import AuricleAudio
import Foundation

/// Any sound source as an ambient microphone: a file, standard input, a sound server's device.
///
/// It opens the source at each start, reads 20 ms at a time in a task, and averages the channels to mono. Offsets are
/// the source's frame numbers, so its gaps stay jumps. A device that moves, sleeps, goes away or changes its format is an
/// interruption, also where the source itself would go on.
public final class PulledAmbientSource: AmbientAudioSource {
  private let host: AudioRecordHost
  private let reader = PulledReader()

  /// Wraps what opens a source.
  /// - Parameter host: Where the source and the permission come from; `nil` takes ``AudioRecordHost/current``.
  public init(host: AudioRecordHost? = nil) { self.host = host ?? .current }

  /// What the host says.
  public var permission: CapturePermission { host.permission.status }

  /// Asks the host, which answers at once.
  public func requestPermission(_ completion: @escaping @Sendable (CapturePermission) -> Void) {
    completion(permission)
  }

  /// Opens the source and begins to read.
  /// - Throws: What opening throws.
  public func start(_ sink: AmbientSink) throws {
    let source = try host.openSource.open()
    reader.begin { await Self.read(source, into: sink) }
  }

  /// Stops reading. The source is let go of as soon as its own wait has ended, which is promptly.
  public func stop() { reader.end() }

  deinit { reader.end() }

  private static func read(_ source: any AudioSource, into sink: AmbientSink) async {
    let maxFrames = min(max(1, source.format.sampleRate / 50), CapturePCMBuffer.frameCounts.upperBound)
    do {
      while let chunk = try await source.next(maxFrames: maxFrames) {
        switch chunk {
        case .audio(let block): sink.receive(try CapturePCMBuffer(block))
        case .gap: break
        case .notice(let notice):
          if let interruption = AmbientInterruption(CaptureEvent(notice)) { sink.notify(.interrupted(interruption)) }
        }
        if Task.isCancelled { return }
      }
      sink.notify(.failed(.sourceEnded))
    } catch let error as AmbientError {
      sink.notify(.failed(AmbientReason(error)))
    } catch is CancellationError {
      return
    } catch let error as AudioError where error.kind == .deviceLost {
      sink.notify(.interrupted(.routeChange))
    } catch let error as AudioError where error.kind == .serverLost {
      sink.notify(.interrupted(.reconfiguration))
    } catch {
      sink.notify(.failed(.sourceFailed))
    }
  }
}

extension AmbientInterruption {
  /// What an event means for somebody who agreed to be heard by one device in one place.
  init?(_ event: CaptureEvent) {
    switch event.kind {
    case .streamMoved: self = .routeChange
    case .deviceRemoved where event.details["isInUse"] == "true": self = .routeChange
    case .streamSuspended: self = .audioInterruption
    case .serverLost, .formatChanged: self = .reconfiguration
    default: return nil
    }
  }
}

/// The task that reads, from one start to the next stop.
private final class PulledReader: @unchecked Sendable {
  // The rule that makes it safe: the task is touched only while the lock is held.
  private let lock = NSLock()
  private var task: Task<Void, Never>?

  func begin(_ body: @escaping @Sendable () async -> Void) {
    lock.withLock {
      task?.cancel()
      // Owned by the source, whose stop and end cancel it.
      task = Task.detached { await body() }
    }
  }

  func end() {
    lock.withLock {
      task?.cancel()
      task = nil
    }
  }
}

extension CapturePCMBuffer {
  /// Averages a block to mono.
  /// - Throws: ``AmbientError`` of kind `unsupportedFormat`, `invalidBuffer` or `nonFiniteSamples`.
  convenience init(_ block: PCMBlock) throws(AmbientError) {
    let count = block.format.channelCount
    guard count <= Self.maximumChannelCount else { throw AmbientError(.unsupportedFormat) }
    let scale = 1 / Float(count)
    try self.init(
      sampleRate: Double(block.format.sampleRate), sampleOffset: block.startFrame, frameCount: block.frameCount
    ) { frame in
      block.samples[(frame * count)..<((frame + 1) * count)].reduce(0, +) * scale
    }
  }
}
