import Testing

@testable import AuricleLive
