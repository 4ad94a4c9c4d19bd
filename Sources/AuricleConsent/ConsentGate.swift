import Synchronization

/// Stands between a device and memory: samples pass only while everyone agrees.
///
/// The state is one atomic word, which a device's callback may read at any time. Every method can be called from any
/// thread and waits for nothing. A gate serves one recording, and whatever else hears under the same consent.
public final class ConsentGate: Sendable {
  private let word = Atomic(State.closed)
  /// Set at most once, before the gate opens.
  private let grant = AtomicLazyReference<Grant>()
  private let withdrawals = WithdrawalList()

  /// Creates a closed gate.
  public init() {}

  /// Whether samples may pass. Real-time safe: one load.
  public var state: State { word.load(ordering: .acquiring) }

  /// Who agreed; `nil` until consent was granted, and kept when it is withdrawn.
  public var record: ConsentRecord? { grant.load()?.record }

  /// Opens the gate. A withdrawal at the same moment wins.
  /// - Throws: ``ConsentError`` of kind `alreadyGranted` or `withdrawn`; the gate is as before.
  public func grant(_ record: ConsentRecord) throws(ConsentError) {
    guard state != .withdrawn else {
      throw ConsentError(.withdrawn, "consent was withdrawn; start a new recording to ask again")
    }
    let new = Grant(record)
    guard grant.storeIfNil(new) === new else {
      throw ConsentError(.alreadyGranted, "consent was given before")
    }
    handle(.grant)
  }

  /// Lets nothing pass until ``resume()``. Does nothing unless the gate is open.
  public func pause() { handle(.pause) }

  /// Lets samples pass again. Does nothing unless the gate is paused.
  public func resume() { handle(.resume) }

  /// Lets nothing pass ever again, and tells who watches.
  public func withdraw() {
    handle(.withdraw)
    withdrawals.withdraw()
  }

  /// Calls back once when consent is withdrawn: at once if it was before, else on the thread that withdraws it, when
  /// nothing passes any more. The body must wait for nothing.
  /// - Returns: What keeps the watch; nobody is told after it was let go of, but for who is being told just then.
  public func whenWithdrawn(_ body: @escaping @Sendable () -> Void) -> WithdrawalWatch {
    WithdrawalWatch(withdrawals, withdrawals.add(body))
  }

  private func handle(_ event: Event) {
    var old = state
    while true {
      let (exchanged, original) = word.compareExchange(
        expected: old, desired: old.after(event), ordering: .acquiringAndReleasing)
      if exchanged { return }
      old = original
    }
  }
}

/// A record that can be shared by reference.
private final class Grant: Sendable {
  let record: ConsentRecord
  init(_ record: ConsentRecord) { self.record = record }
}
