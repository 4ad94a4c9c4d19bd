SHELL := /bin/bash
.PHONY: setup build test demo bench soak lint docs clean

setup:
	@scripts/setup.sh

build: setup
	swift build -c release --product auricle
