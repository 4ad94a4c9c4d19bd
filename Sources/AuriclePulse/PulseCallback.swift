import AuricleCapture
import CPulse

/// Takes what a stream has; the library calls it from its own thread, for each packet.
///
/// Real-time safe on our side: no allocation, no lock, no system call, no waiting. `userdata` is an unretained
/// `CaptureRing` of floats that outlives the stream.
nonisolated func pulseStreamHasRead(_ stream: OpaquePointer?, _ byteCount: Int, _ userdata: UnsafeMutableRawPointer?) {
  takePackets(stream, userdata) { ring, samples in ring.offer(samples) }
}

/// The same for a stream that was moved to a device of which nobody knows yet whether it may be heard: its frames are
/// counted, and not looked at.
nonisolated func pulseStreamHasReadUnknown(
  _ stream: OpaquePointer?, _ byteCount: Int, _ userdata: UnsafeMutableRawPointer?
) {
  takePackets(stream, userdata) { ring, samples in ring.miss(samples.count / ring.format.channelCount, .sourceLost) }
}

/// The first packets of a stream: what is older than the stream was heard before anybody asked for it, and is let go;
/// what a device did not give in the beginning is a gap. From then on the packets go to the ring without a look at the time.
nonisolated func pulseStreamHasReadFirst(
  _ stream: OpaquePointer?, _ byteCount: Int, _ userdata: UnsafeMutableRawPointer?
) {
  guard let stream, let userdata else { return }
  let link = Unmanaged<PulseStreamLink>.fromOpaque(userdata).takeUnretainedValue()
  let ring = Unmanaged.passUnretained(link.heardFirst(stream)).toOpaque()
  pa_stream_set_read_callback(stream, pulseStreamHasRead, ring)
  pulseStreamHasRead(stream, byteCount, ring)
}

@inline(__always) private nonisolated func takePackets(
  _ stream: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
  _ take: (CaptureRing, UnsafeBufferPointer<Float>) -> Void
) {
  guard let stream, let userdata else { return }
  Unmanaged<CaptureRing>.fromOpaque(userdata)._withUnsafeGuaranteedRef { ring in
    var data: UnsafeRawPointer?
    var length = 0
    while pa_stream_peek(stream, &data, &length) == 0, length > 0 {
      let sampleCount = length / MemoryLayout<Float>.stride
      if let data {
        take(ring, UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: sampleCount))
      } else {
        // A hole: there should be samples, and the server has none.
        ring.miss(sampleCount / ring.format.channelCount, .sourceLost)
      }
      pa_stream_drop(stream)
    }
  }
}
