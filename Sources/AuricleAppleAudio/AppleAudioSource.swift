#if canImport(AVFAudio)
  import AVFAudio
  import AuricleAudio
  import AuricleCapture
  import AuricleConsent
  import Foundation

  /// The microphone of an Apple device, for a recording: the engine's tap offers to a gated ring.
  ///
  /// It never sets the audio session's category or activation. A change of the engine's configuration or the route ends it
  /// with `deviceLost`, since its format may be another afterwards.
  public final class AppleAudioSource: AudioSource, @unchecked Sendable {
    // The rule that makes it safe: everything is set before the object is shared; the engine's own calls are made from
    // the initialiser and from `stop`, which the lock serialises.
    /// The format that the device delivers.
    public let format: AudioFormat
    /// Nobody can know.
    public let expectedFrameCount: Int64? = nil
    private let source: RingSource<ContinuousClock>
    private let engine: AVAudioEngine
    private let boundaries: AppleBoundaries
    private let lock = NSLock()
    private var isRunning = true

    /// Starts to listen at once; the gate decides what is kept.
    /// - Throws: `AudioError` of kind `notPermitted` or `deviceLost`; what the engine throws.
    public init(gate: ConsentGate, center: NotificationCenter = .default) throws {
      guard AVAudioApplication.shared.recordPermission == .granted else {
        throw AudioError(.notPermitted, "recording is not permitted; ask the user to allow it")
      }
      engine = AVAudioEngine()
      boundaries = AppleBoundaries(center: center)
      let input = engine.inputNode
      let device = input.outputFormat(forBus: 0)
      guard device.sampleRate > 0, device.channelCount > 0 else {
        throw AudioError(.deviceLost, "there is no microphone; connect one")
      }
      format = try AudioFormat(sampleRate: Int(device.sampleRate), channelCount: Int(device.channelCount))
      let ring = CaptureRing(format: format, gate: gate)
      source = RingSource(ring)
      let interleaver = AppleInterleaver(channelCount: format.channelCount)
      input.installTap(onBus: 0, bufferSize: 1_024, format: nil) { buffer, _ in interleaver.offer(buffer, to: ring) }
      boundaries.watch { [weak self] in self?.interrupted($0) }
      do { try engine.start() } catch {
        input.removeTap(onBus: 0)
        throw error
      }
    }

    deinit { stop() }

    /// Stops listening; what was heard is still delivered. Harmless when repeated.
    public func stop() { end(nil) }

    /// Delivers what was heard.
    public func next(maxFrames: Int) async throws -> AudioChunk? { try await source.next(maxFrames: maxFrames) }

    private func interrupted(_ interruption: AmbientInterruption) {
      // A recording may go on in the background where the host is allowed to.
      if interruption == .background { return }
      end(AudioError(.deviceLost, "the microphone was taken away or changed; start again"))
    }

    private func end(_ error: AudioError?) {
      let wasRunning = lock.withLock {
        defer { isRunning = false }
        return isRunning
      }
      guard wasRunning else { return }
      engine.inputNode.removeTap(onBus: 0)
      engine.stop()
      source.finish(throwing: error)
    }
  }

  /// Puts the channels of a tap's buffer in turns, in memory that is made once.
  private final class AppleInterleaver: @unchecked Sendable {
    // The rule that makes it safe: only the tap's block uses it, one call at a time.
    private static let frameCapacity = 16_384
    private let channelCount: Int
    private let scratch: UnsafeMutablePointer<Float>

    init(channelCount: Int) {
      self.channelCount = channelCount
      scratch = .allocate(capacity: Self.frameCapacity * channelCount)
      scratch.initialize(repeating: 0, count: Self.frameCapacity * channelCount)
    }

    deinit { scratch.deallocate() }

    func offer(_ buffer: AVAudioPCMBuffer, to ring: CaptureRing) {
      let frameCount = Int(buffer.frameLength)
      guard let data = buffer.floatChannelData, Int(buffer.format.channelCount) == channelCount,
        frameCount <= Self.frameCapacity
      else { return ring.miss(frameCount, .sourceLost) }
      guard ring.gate.state == .open else {
        return ring.offer(UnsafeBufferPointer(start: scratch, count: frameCount * channelCount))
      }
      for channel in 0..<channelCount {
        for frame in 0..<frameCount { scratch[frame * channelCount + channel] = data[channel][frame] }
      }
      ring.offer(UnsafeBufferPointer(start: scratch, count: frameCount * channelCount))
      scratch.update(repeating: 0, count: frameCount * channelCount)
    }
  }
#endif
