import CPulse

/// Lets a link compare frames with the clock, a few times a second, on the library's thread.
final class PulseClockTimer {
  // Touched under the library's lock only.
  private let context: OpaquePointer
  private let mainloop: OpaquePointer
  private let link: PulseStreamLink
  private var event: OpaquePointer?

  init(_ context: OpaquePointer, _ mainloop: OpaquePointer, _ link: PulseStreamLink) {
    self.context = context
    self.mainloop = mainloop
    self.link = link
  }

  func begin() {
    event = pa_context_rttime_new(
      context, PulseStreamLink.nextComparison(), pulseClockIsDue, Unmanaged.passUnretained(self).toOpaque())
  }

  func ring() {
    link.compareWithClock()
    if let event { pa_context_rttime_restart(context, event, PulseStreamLink.nextComparison()) }
  }

  func end() {
    if let event { pa_threaded_mainloop_get_api(mainloop).pointee.time_free(event) }
    event = nil
  }
}
