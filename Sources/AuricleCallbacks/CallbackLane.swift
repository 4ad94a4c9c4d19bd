import AuricleRecognition
import Foundation

/// Calls the callbacks of a layer on the host's queue: one after the other in the order in which they came, whatever kind
/// of queue it is, and never from inside the call that asked for them.
///
/// Who calls waits for its callback without holding a thread, so a slow callback slows down the one that has something to
/// say, and nobody else; how much waits here is bounded by how many there are of those.
package final class CallbackLane: Sendable {
  private struct Call: Sendable {
    let body: @Sendable () -> Void
    let caller: CheckedContinuation<Void, Never>?
  }

  private struct State {
    var calls: [Call] = []
    var isBusy = false
    var queue: DispatchQueue
  }

  private let state: Guarded<State>

  /// Creates a lane.
  package init(queue: DispatchQueue = .main) { state = Guarded(State(queue: queue)) }

  /// Where callbacks run; a change counts from the next callback on.
  package var queue: DispatchQueue {
    get { state.withLock { $0.queue } }
    set { state.withLock { $0.queue = newValue } }
  }

  /// Calls, and waits until the callback has returned.
  package func call(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { add(Call(body: body, caller: $0)) }
  }

  /// Calls without waiting: for the single answers to single requests.
  package func post(_ body: @escaping @Sendable () -> Void) { add(Call(body: body, caller: nil)) }

  private func add(_ call: Call) {
    let queue = state.withLock { state -> DispatchQueue? in
      state.calls.append(call)
      defer { state.isBusy = true }
      return state.isBusy ? nil : state.queue
    }
    queue?.async { self.perform() }
  }

  /// One callback at a time, so that others of the queue have their turn in between.
  private func perform() {
    let call = state.withLock { $0.calls.removeFirst() }
    call.body()
    let queue = state.withLock { state -> DispatchQueue? in
      state.isBusy = !state.calls.isEmpty
      return state.isBusy ? state.queue : nil
    }
    queue?.async { self.perform() }
    call.caller?.resume()
  }
}
