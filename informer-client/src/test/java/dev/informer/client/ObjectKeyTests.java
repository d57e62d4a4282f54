/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import com.google.gson.JsonParser;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ObjectKey} and {@link ObjectState}.
 */
class ObjectKeyTests {

	@Test
	void modelAndUntypedObject_haveSameState() {
		V1ConfigMap model = new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("shop").name("a").uid("u-1").resourceVersion("7"));
		KubernetesObject untyped = untyped(
				"{\"namespace\":\"shop\",\"name\":\"a\",\"uid\":\"u-1\",\"resourceVersion\":\"7\"}");
		assertThat(ObjectState.of(untyped)).isEqualTo(ObjectState.of(model)).hasToString("shop/a with UID u-1 at 7");
		assertThat(ObjectKey.of(untyped)).isEqualTo("shop/a");
		assertThat(ObjectKey.sameState(untyped, model)).isTrue();
		assertThat(ObjectKey.sameObject(untyped, untyped("{\"name\":\"a\",\"uid\":\"u-2\"}"))).isFalse();
	}

	@Test
	void sameState_requiresUidAndVersion() {
		assertThat(ObjectKey.sameState(untyped("{\"name\":\"a\"}"), untyped("{\"name\":\"a\"}"))).isFalse();
		assertThat(ObjectKey.sameState(untyped("{\"uid\":\"u\",\"resourceVersion\":\"\"}"),
				untyped("{\"uid\":\"u\",\"resourceVersion\":\"\"}")))
			.isFalse();
	}

	@Test
	void objectWithoutName_hasNoKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> ObjectKey.of(untyped("{\"name\":null}")));
		assertThatIllegalArgumentException().isThrownBy(() -> ObjectKey.of(new DynamicKubernetesObject()));
		assertThatIllegalArgumentException().isThrownBy(() -> ObjectKey.of(new V1ConfigMap().metadata(null)));
	}

	private static DynamicKubernetesObject untyped(String metadata) {
		return new DynamicKubernetesObject(JsonParser.parseString("{\"metadata\":" + metadata + "}").getAsJsonObject());
	}

}
