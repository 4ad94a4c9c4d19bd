import AuricleAudio
import AuricleConsent

/// The gate's rule for a source that is pulled, such as standard input or a file: what comes while the gate is not open
/// becomes a gap of the same frames, and its samples are let go at once.
///
/// A block passes if the gate is open both when it is asked for and when it is there, because it was heard in between.
/// The source is read on while the gate is shut, at whatever pace it has.
public struct GatedSource: AudioSource {
  private let source: any AudioSource
  private let gate: ConsentGate

  /// Wraps a source, from which nobody else may read.
  public init(_ source: any AudioSource, gate: ConsentGate) {
    self.source = source
    self.gate = gate
  }

  /// The wrapped source's format.
  public var format: AudioFormat { source.format }
  /// What the wrapped source expects.
  public var expectedFrameCount: Int64? { source.expectedFrameCount }

  /// Reads the next block, or the gap that the gate makes of it. Gaps and notices of the source pass as they are.
  ///
  /// See `AudioSource.next(maxFrames:)`.
  public func next(maxFrames: Int) async throws -> AudioChunk? {
    let before = gate.state.gapReason
    guard let chunk = try await source.next(maxFrames: maxFrames) else { return nil }
    guard case .audio(let block) = chunk, let reason = gate.state.gapReason ?? before else { return chunk }
    return .gap(AudioGap(frames: block.frames, sampleRate: block.format.sampleRate, reason: reason))
  }
}
