import AuricleCapture
import CPulse

/// Takes what a stream has; the library calls it from its own thread, for each packet.
///
/// Real-time safe on our side: no allocation, no lock, no system call, no waiting. `userdata` is an unretained
/// `CaptureRing` of floats that outlives the stream.
nonisolated func pulseStreamHasRead(_ stream: OpaquePointer?, _ byteCount: Int, _ userdata: UnsafeMutableRawPointer?) {
  guard let stream, let userdata else { return }
  Unmanaged<CaptureRing>.fromOpaque(userdata)._withUnsafeGuaranteedRef { ring in
    var data: UnsafeRawPointer?
    var length = 0
    while pa_stream_peek(stream, &data, &length) == 0, length > 0 {
      let sampleCount = length / MemoryLayout<Float>.stride
      if let data {
        ring.offer(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: sampleCount))
      } else {
        // A hole: there should be samples, and the server has none.
        ring.miss(sampleCount / ring.format.channelCount, .sourceLost)
      }
      pa_stream_drop(stream)
    }
  }
}
