/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.writing;

import dev.informer.recorder.EventRecorder;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

import org.springframework.stereotype.Component;

@Component
class Copies {

	private final ObjectWriter writer;

	private final EventRecorder events;

	Copies(ObjectWriter writer, EventRecorder events) {
		this.writer = writer;
		this.events = events;
	}

	void copy(V1Secret secret, V1Namespace namespace) throws ApiException {
		String name = namespace.getMetadata().getName();
		try {
			this.writer.apply(copyOf(secret, name));
			this.events.normal(secret, "Copied", "Copy", "Copied to namespace " + name);
		}
		catch (ApiException ex) {
			this.events.warning(secret, "WriteFailed", "Copy", "Cannot copy to namespace " + name);
			throw ex;
		}
	}

	private static V1Secret copyOf(V1Secret secret, String namespace) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace(namespace).name(secret.getMetadata().getName()))
			.data(secret.getData());
	}

}
