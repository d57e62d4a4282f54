/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ReconcilerOptions} that are refused.
 */
class ReconcilerOptionsTests extends AbstractReconcilersTests {

	@Test
	void invalidOptions_areRefused() {
		add((primary, context) -> null);
		assertThatIllegalArgumentException().isThrownBy(() -> add((primary, context) -> null))
			.withMessageContaining("Cannot add reconciler 'configmaps': there is another one of this name");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> add((primary, context) -> null,
					(options) -> options.name("other").watches(this.secrets, "missing")))
			.withMessageContaining("Informer 'configmaps' has no index 'missing'");
		try (InformerFactory other = InformerFactory
			.create(new ClientBuilder().setBasePath("http://localhost:1").build())) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> add((primary, context) -> null,
						(options) -> options.name("other").owns(other.informer(V1Secret.class))))
				.withMessageContaining("informer 'secrets' does not belong to the factory");
		}
		this.reconcilers.close();
		assertThatIllegalStateException().isThrownBy(() -> add((primary, context) -> null));
	}

	@Test
	void conflictException_thatIsNoException_isRefused() {
		@SuppressWarnings("unchecked")
		Class<? extends Throwable> text = (Class<? extends Throwable>) (Class<?>) String.class;
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ReconcilerOptions.Builder<V1ConfigMap>("a").conflictExceptions(List.of(text)).build())
			.withMessageContaining(
					"Option 'conflict-exceptions' must have classes of exceptions, not java.lang.String");
	}

	@Test
	void handlerOfTheSameName_refusesTheReconciler_withoutAnEffect() throws Exception {
		HandlerRegistration other = this.secrets.addHandler((event) -> {
		}, (options) -> options.name("reconciler-configmaps"));
		TestGate gate = new TestGate();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> add((primary, context) -> null, (options) -> options.owns(this.secrets).gate(gate)));
		assertThat(gate.followers).isEmpty();
		assertThat(this.configMaps.handlers()).isEmpty();
		other.remove();
		add((primary, context) -> null, (options) -> options.owns(this.secrets).gate(gate));
		assertThat(this.configMaps.handlers()).hasSize(1);
	}

}
