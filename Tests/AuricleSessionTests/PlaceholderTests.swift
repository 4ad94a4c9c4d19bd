import Testing

@testable import AuricleSession
