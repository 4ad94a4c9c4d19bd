import AuricleCapture
import CPulse

/// Hears of devices that come and go and of the default that changes, and lists them anew each time.
final class PulseDeviceWatch: @unchecked Sendable {
  // The rule that makes it safe: after init, everything is touched under the library's lock only. It outlives the
  // connection, which takes its callbacks away.
  private let context: OpaquePointer
  private let report: @Sendable ([ListedDevice]) -> Void
  private var listing: PulseListing?
  /// Something changed while a list was made.
  private var isOutdated = false

  init(_ context: OpaquePointer, report: @escaping @Sendable ([ListedDevice]) -> Void) {
    self.context = context
    self.report = report
  }

  /// Begins to hear, and lists once, for what changed before. Under the library's lock.
  func begin() {
    let userdata = Unmanaged.passUnretained(self).toOpaque()
    pa_context_set_subscribe_callback(context, pulseServerChanged, userdata)
    let mask = PA_SUBSCRIPTION_MASK_SOURCE.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue
    release(pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil))
    list()
  }

  /// Under the library's lock.
  func end() { pa_context_set_subscribe_callback(context, nil, nil) }

  /// Volumes, mutes and states change a source; only what comes and goes, and the server's default, is looked at.
  fileprivate func changed(_ event: UInt32) {
    let facility = event & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
    let type = event & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    guard facility == PA_SUBSCRIPTION_EVENT_SERVER.rawValue || type != PA_SUBSCRIPTION_EVENT_CHANGE.rawValue else {
      return
    }
    if listing == nil { list() } else { isOutdated = true }
  }

  private func list() {
    let listing = PulseListing(whenDone: { [weak self] in self?.isListed($0) })
    self.listing = listing
    isOutdated = false
    let userdata = Unmanaged.passUnretained(listing).toOpaque()
    release(pa_context_get_server_info(context, pulseServerIs, userdata))
    release(pa_context_get_source_info_list(context, pulseSourceIs, userdata))
  }

  private func isListed(_ listed: [ListedDevice]) {
    listing = nil
    if isOutdated { list() } else { report(listed) }
  }

  private func release(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
  }
}

// C calls this from the library's thread, so it belongs to no actor.

private nonisolated func pulseServerChanged(
  _ context: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32,
  _ userdata: UnsafeMutableRawPointer?
) {
  guard let userdata else { return }
  Unmanaged<PulseDeviceWatch>.fromOpaque(userdata).takeUnretainedValue().changed(event.rawValue)
}
