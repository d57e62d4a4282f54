/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Map;

import dev.informer.client.ResourceType;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.InformerProperties.DeclaredResource;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link InformerRequirements}.
 */
class InformerRequirementsTests {

	private static final ResourceType<?> CORE = ResourceType.of(CoreV1Event.class);

	private static final ResourceType<?> NEW = ResourceType.of(EventsV1Event.class);

	private final InformerRequirements requirements = new InformerRequirements();

	@Test
	void requiredTwice_isDeclaredOnce() {
		require(ResourceType.of(V1Pod.class));
		require(ResourceType.of(V1Pod.class));
		assertThat(this.requirements.declarations())
			.containsExactly(new InformerDeclaration("pods", ResourceType.of(V1Pod.class), true));
	}

	@Test
	void sameDefaultName_isRejectedWithRemedy() {
		this.requirements.declare(Map.of("events", new DeclaredResource(null, CoreV1Event.class, false)), List.of());
		require(CORE);
		assertThatExceptionOfType(InvalidInformerPropertyException.class).isThrownBy(() -> require(NEW))
			.withMessageContaining("'informer.resources.events'")
			.satisfies((ex) -> assertThat(ex.action())
				.contains("informer.resources.eventsv1event.type=" + EventsV1Event.class.getName()));
	}

	@Test
	void sameDefaultName_withoutProperty_isAFailureOfThePlace() {
		require(CORE);
		assertThatIllegalStateException().isThrownBy(() -> require(NEW))
			.withMessageStartingWith("the informer of events.events.k8s.io/v1 (" + EventsV1Event.class.getName()
					+ ") would have the name 'events' of that of events/v1 (")
			.withMessageEndingWith("informer.resources.eventsv1event.type=" + EventsV1Event.class.getName() + ".");
	}

	private void require(ResourceType<?> resourceType) {
		this.requirements.require(resourceType, (reason, action) -> new IllegalStateException(reason + ". " + action));
	}

	@Test
	void sameDefaultName_isResolvedByDeclaredName() {
		this.requirements.declare(Map.of("newevents", new DeclaredResource(null, EventsV1Event.class, false)),
				List.of());
		require(CORE);
		require(NEW);
		assertThat(this.requirements.declarations()).containsExactlyInAnyOrder(
				new InformerDeclaration("events", CORE, true), new InformerDeclaration("newevents", NEW, true));
	}

	@Test
	void declaredPlural_prefersUsedResource() {
		this.requirements.declare(Map.of("events", new DeclaredResource(null, null, false)), List.of(NEW));
		assertThat(this.requirements.declarations()).containsExactly(new InformerDeclaration("events", NEW, true));
	}

	@Test
	void declaredPlural_fallsBackToOfficialResource() {
		this.requirements.declare(Map.of("events", new DeclaredResource(null, null, false)), List.of());
		assertThat(this.requirements.declarations()).containsExactly(new InformerDeclaration("events", CORE, true));
	}

}
