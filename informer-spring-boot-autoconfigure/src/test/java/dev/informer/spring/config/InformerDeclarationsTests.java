/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;

import dev.informer.ResourceType;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InformerDeclarations}.
 */
class InformerDeclarationsTests {

	private static final ResourceType<?> CORE = ResourceType.of(CoreV1Event.class);

	private static final ResourceType<?> NEW = ResourceType.of(EventsV1Event.class);

	private final InformerDeclarations declarations = new InformerDeclarations();

	@Test
	void neededTwice_isThereOnce() {
		this.declarations.need(ResourceType.of(V1Pod.class));
		this.declarations.need(ResourceType.of(V1Pod.class));
		assertThat(this.declarations.all())
			.containsExactly(new InformerDeclaration("pods", ResourceType.of(V1Pod.class), true));
	}

	@Test
	void resourcesOfTheSamePlural_areRefusedWithTheRemedy() {
		this.declarations.need(CORE);
		assertThatExceptionOfType(InvalidInformerPropertyException.class).isThrownBy(() -> this.declarations.need(NEW))
			.withMessageContaining("'informer.resources.events'")
			.satisfies((ex) -> assertThat(ex.action())
				.contains("informer.resources.eventsv1event.type=" + EventsV1Event.class.getName()));
	}

	@Test
	void resourcesOfTheSamePlural_canHaveNamesOfTheirOwn() {
		this.declarations.declare(Map.of("newevents", new DeclaredResource(null, EventsV1Event.class, false)),
				List.of());
		this.declarations.need(CORE);
		this.declarations.need(NEW);
		assertThat(this.declarations.all()).containsExactlyInAnyOrder(new InformerDeclaration("events", CORE, true),
				new InformerDeclaration("newevents", NEW, true));
	}

	@Test
	void name_meansTheResourceThatTheCodeUses() {
		this.declarations.declare(Map.of("events", new DeclaredResource(null, null, false)), List.of(NEW));
		assertThat(this.declarations.all()).containsExactly(new InformerDeclaration("events", NEW, true));
	}

	@Test
	void name_meansTheOfficialResourceOtherwise() {
		this.declarations.declare(Map.of("events", new DeclaredResource(null, null, false)), List.of());
		assertThat(this.declarations.all()).containsExactly(new InformerDeclaration("events", CORE, true));
	}

}
