import Testing

@testable import AuricleAudio
