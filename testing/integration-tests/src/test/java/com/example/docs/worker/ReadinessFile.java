/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class ReadinessFile {

	private final Path file;

	ReadinessFile(@Value("${readiness.file:/tmp/ready}") Path file) throws IOException {
		this.file = file;
		// of a process before a restart of the container
		Files.deleteIfExists(file);
	}

	@EventListener
	void changed(AvailabilityChangeEvent<ReadinessState> event) throws IOException {
		if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
			Files.writeString(this.file, "");
		}
		else {
			Files.deleteIfExists(this.file);
		}
	}

}
