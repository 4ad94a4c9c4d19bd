#if canImport(AVFAudio)
  import AVFAudio
  import AuricleCapture
  import Foundation

  /// The microphone of an Apple device, for ambient capture.
  ///
  /// Making one installs observers and nothing else: no engine, no tap, no request, no recording. It never sets the audio
  /// session's category or activation; the host does, before it starts the capture. The host's Info.plist must say why it
  /// listens (`NSMicrophoneUsageDescription`).
  public final class AppleMicrophoneSource: AmbientAudioSource, @unchecked Sendable {
    // The rule that makes it safe: `engine` and `sink` are touched only while the lock is held; the engine's tap holds a
    // sink of its own.
    private let lock = NSLock()
    private let boundaries: AppleBoundaries
    private var engine: AVAudioEngine?
    private var sink: AmbientSink?

    /// Frames per tap callback that are asked for; the system decides.
    private static let tapFrameCount: AVAudioFrameCount = 1_024

    /// Installs the observers.
    /// - Parameter center: Where the system's notifications are posted.
    public init(center: NotificationCenter = .default) {
      boundaries = AppleBoundaries(center: center)
      boundaries.watch { [weak self] in self?.interrupted($0) }
    }

    deinit { try? stop() }

    /// What the system says now.
    public var permission: CapturePermission { CapturePermission(AVAudioApplication.shared.recordPermission) }

    /// Has the system ask the user, if it did not yet.
    public func requestPermission(_ completion: @escaping @Sendable (CapturePermission) -> Void) {
      AVAudioApplication.requestRecordPermission { completion($0 ? .granted : .denied) }
    }

    /// Makes an engine, taps its input and starts it.
    /// - Throws: What the engine throws; ``AmbientError`` of kind `unsupportedFormat`, when there is no input.
    public func start(_ sink: AmbientSink) throws {
      let engine = AVAudioEngine()
      let input = engine.inputNode
      let format = input.outputFormat(forBus: 0)
      guard format.sampleRate > 0, format.channelCount > 0 else { throw AmbientError(.unsupportedFormat) }
      input.installTap(onBus: 0, bufferSize: Self.tapFrameCount, format: nil) { buffer, time in
        AppleTap.deliver(buffer, at: time, to: sink)
      }
      do {
        engine.prepare()
        try engine.start()
      } catch {
        input.removeTap(onBus: 0)
        throw error
      }
      lock.withLock {
        self.engine = engine
        self.sink = sink
      }
    }

    /// Removes the tap and lets the engine go.
    public func stop() throws {
      let engine = lock.withLock {
        defer {
          self.engine = nil
          sink = nil
        }
        return self.engine
      }
      engine?.inputNode.removeTap(onBus: 0)
      engine?.stop()
    }

    private func interrupted(_ interruption: AmbientInterruption) {
      lock.withLock { sink }?.notify(.interrupted(interruption))
    }
  }

  /// What a tap's block does.
  enum AppleTap {
    static func deliver(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime, to sink: AmbientSink) {
      guard time.isSampleTimeValid else { return sink.notify(.failed(.invalidTiming)) }
      let format = buffer.format
      guard let data = buffer.floatChannelData else { return sink.notify(.failed(.unsupportedFormat)) }
      let frameCount = Int(buffer.frameLength)
      let channels = (0..<Int(format.channelCount)).map {
        UnsafeBufferPointer(start: UnsafePointer(data[$0]), count: frameCount)
      }
      let input = AmbientDeviceInput(
        sampleRate: format.sampleRate, channels: channels, isInterleaved: format.isInterleaved,
        isFloat32: format.commonFormat == .pcmFormatFloat32)
      sink.receive(input, sampleOffset: time.sampleTime)
    }
  }

  extension CapturePermission {
    init(_ permission: AVAudioApplication.recordPermission) {
      self =
        switch permission {
        case .granted: .granted
        case .denied: .denied
        default: .undetermined
        }
    }
  }
#endif
