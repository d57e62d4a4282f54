/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.List;

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventDispatcher}.
 */
class EventDispatcherTests {

	private final List<String> notified = new ArrayList<>();

	private final InformerFactory factory = InformerFactory.create(new ApiClient());

	private final SharedIndexInformer<V1Pod> informer = this.factory.informer(V1Pod.class);

	@AfterEach
	void close() {
		this.factory.close();
	}

	@Test
	void listenersThatThrow_doNotKeepOthersFromBeingNotified() {
		EventDispatcher dispatcher = new EventDispatcher(List.of((event) -> {
			throw new IllegalStateException("for the test");
		}, (event) -> {
			throw new StackOverflowError("for the test");
		}, (event) -> this.notified.add(event.informer().name())));
		dispatcher.onEvent(new InformerEvent.Removed(this.informer));
		assertThat(this.notified).containsExactly("pods");
	}

	@Test
	void listenerAddedLater_isNotifiedOfLaterEventsOnly() {
		EventDispatcher dispatcher = new EventDispatcher(List.of());
		dispatcher.onEvent(new InformerEvent.HandlersChanged(this.informer));
		dispatcher.add((event) -> this.notified.add(event.getClass().getSimpleName()));
		dispatcher.onEvent(new InformerEvent.Removed(this.informer));
		assertThat(this.notified).containsExactly("Removed");
	}

	@Test
	void listenerAddedToFactory_isNotifiedOfItsInformers() {
		this.factory.addListener((event) -> this.notified.add(event.getClass().getSimpleName()));
		this.factory.remove(this.informer);
		assertThat(this.notified).containsExactly("Removed");
	}

}
