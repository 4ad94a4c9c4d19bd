import AuricleCLI
