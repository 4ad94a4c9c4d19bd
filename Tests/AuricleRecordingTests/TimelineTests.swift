import AuricleAudio
import Testing

@testable import AuricleRecording

@Suite struct TimelineTests {
  @Test("Frames follow on, leave something out, or come again")
  func placement() {
    var timeline = Timeline(sampleRate: 10)
    #expect(timeline.place(0..<5) == Timeline.Placement(missing: nil, repeatedFrameCount: 0))
    #expect(timeline.place(3..<5) == Timeline.Placement(missing: 0..<3, repeatedFrameCount: 0))
    timeline.advance(to: 100)
    #expect(timeline.place(100..<100) == Timeline.Placement(missing: nil, repeatedFrameCount: 0))
    #expect(timeline.place(90..<110) == Timeline.Placement(missing: nil, repeatedFrameCount: 10))
    #expect(timeline.place(20..<30) == Timeline.Placement(missing: nil, repeatedFrameCount: 10))
    let week: Int64 = 6_048_000
    #expect(timeline.place(100 + week..<101 + week)?.missing == 100..<100 + week)
    #expect(timeline.place(101 + week..<102 + week) == nil && timeline.place(-1..<3) == nil)
  }

  @Test("What begins at a frame is a gap or audio, up to the next change")
  func pieces() {
    var gaps = GapList()
    gaps.add(10..<20, .paused)
    gaps.add(20..<30, .paused)
    gaps.add(30..<40, .overrun)
    gaps.add(50..<60, .overrun)
    let cases: [(Int64, Range<Int64>, AudioGap.Reason?)] = [
      (0, 0..<10, nil), (10, 10..<30, .paused), (25, 25..<30, .paused), (30, 30..<40, .overrun), (40, 40..<50, nil),
      (59, 59..<60, .overrun), (60, 60..<100, nil),
    ]
    for (frame, frames, reason) in cases {
      let piece = gaps.piece(at: frame, end: 100)
      #expect(piece.frames == frames && piece.reason == reason)
    }
    #expect(gaps.piece(at: 40, end: 45).frames == 40..<45 && gaps.piece(at: 10, end: 12).frames == 10..<12)
  }

  @Test("Gaps without number take bounded memory; what is beyond is told as the silence that it is")
  func bounded() {
    var gaps = GapList()
    for index in 0..<Int64(GapList.limit + 10) { gaps.add(index * 2..<index * 2 + 1, .overrun) }
    let end = Int64(GapList.limit) * 2
    #expect(gaps.piece(at: end - 2, end: end + 20).reason == .overrun)
    #expect(gaps.piece(at: end, end: end + 20).reason == nil)
  }
}
