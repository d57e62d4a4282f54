/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.models.V1Container;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GeneratedAccess}. {@code ModelDecodingTests} compares its effect with
 * Gson for all models.
 */
class GeneratedAccessTests {

	@Test
	void setterOfOfficialModel_setsTheField() throws NoSuchFieldException {
		V1Container container = new V1Container();
		BiConsumer<Object, @Nullable Object> setter = GeneratedAccess
			.setter(V1Container.class.getDeclaredField("image"));
		assertThat(setter).isNotNull();
		setter.accept(container, "nginx");
		assertThat(container.getImage()).isEqualTo("nginx");
		setter.accept(container, null);
		assertThat(container.getImage()).isNull();
	}

	@Test
	void constructorOfOfficialModel_createsObjects() throws NoSuchMethodException {
		Supplier<Object> constructor = GeneratedAccess.constructor(V1Container.class.getConstructor());
		assertThat(constructor).isNotNull();
		Object first = constructor.get();
		assertThat(first).isInstanceOf(V1Container.class).isNotSameAs(constructor.get());
	}

	@Test
	void fieldWithoutPublicSetter_hasNone() throws NoSuchFieldException {
		assertThat(GeneratedAccess.setter(WithoutSetter.class.getDeclaredField("text"))).isNull();
	}

	@Test
	void officialModels_areGeneratedOnlyWhereReflectionIsSlower() {
		assertThat(GeneratedAccess.suits(V1Container.class)).isEqualTo(Runtime.version().feature() >= 18);
		assertThat(GeneratedAccess.suits(WithoutSetter.class)).isFalse();
	}

	static class WithoutSetter {

		String text = "";

	}

}
