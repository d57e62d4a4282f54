/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.IOException;

import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.openapi.models.EventsV1Event;

/**
 * Failures as a writer throws them.
 */
public final class WriteFailures {

	private WriteFailures() {
	}

	public static ObjectWriteException of(Operation operation, EventsV1Event event, IOException cause) {
		return ObjectWriteException.of(WriteTarget.of(operation, ResourceType.of(EventsV1Event.class), event, null),
				operation, cause);
	}

}
