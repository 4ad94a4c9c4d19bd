import Testing

@testable import AuricleSherpa
