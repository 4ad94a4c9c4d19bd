import Testing

@testable import AuricleRecognition
