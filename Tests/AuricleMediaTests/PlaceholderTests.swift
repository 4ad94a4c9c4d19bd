import Testing

@testable import AuricleMedia
