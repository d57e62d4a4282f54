/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.writing;

import java.time.Duration;

import dev.informer.InformerFactory;
import dev.informer.reconcilers.EventRecorder;
import dev.informer.reconcilers.ObjectWriteException;
import dev.informer.reconcilers.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

final class Copies implements AutoCloseable {

	private final ObjectWriter writer;

	private final EventRecorder events;

	Copies(InformerFactory informers) {
		this.writer = ObjectWriter.of(informers, "copies");
		this.events = EventRecorder.of(this.writer, "copies");
	}

	void copy(V1Secret secret, V1Namespace namespace) throws ApiException {
		String name = namespace.getMetadata().getName();
		try {
			this.writer.apply(copyOf(secret, name));
			this.events.normal(secret, "Copied", "Copy", "Copied to namespace " + name);
		}
		catch (ObjectWriteException ex) {
			this.events.warning(secret, "WriteFailed", "Copy", "Cannot copy to namespace " + name);
			throw ex;
		}
	}

	@Override
	public void close() {
		this.events.close(Duration.ofSeconds(5));
	}

	private static V1Secret copyOf(V1Secret secret, String namespace) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace(namespace).name(secret.getMetadata().getName()))
			.data(secret.getData());
	}

}
