import Testing

@testable import AuricleCLI
