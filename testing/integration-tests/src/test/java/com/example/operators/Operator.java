/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.List;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.client.ResourceType;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Class of a custom resource, and two changes of its objects: each in Java, and as the
 * JSON merge patch that it has to cause.
 *
 * @param folder the folder of its definition
 * @param second changes the status, or something else where there is none
 * @param notCovered the paths of the examples that the class does not have
 * @param added the paths that the class sets by itself
 */
record Operator<T extends KubernetesObject>(Class<T> type, String folder, JsonObject firstPatch, Consumer<T> first,
		JsonObject secondPatch, Consumer<T> second, List<String> notCovered, List<String> added) {

	static <T extends KubernetesObject> Operator<T> of(Class<T> type, String folder, String firstPatch,
			Consumer<T> first, String secondPatch, Consumer<T> second) {
		return new Operator<>(type, folder, JsonParser.parseString(firstPatch).getAsJsonObject(), first,
				JsonParser.parseString(secondPatch).getAsJsonObject(), second, List.of(), List.of());
	}

	Operator<T> withoutCoverOf(String... paths) {
		return new Operator<>(this.type, this.folder, this.firstPatch, this.first, this.secondPatch, this.second,
				List.of(paths), this.added);
	}

	Operator<T> adding(String... paths) {
		return new Operator<>(this.type, this.folder, this.firstPatch, this.first, this.secondPatch, this.second,
				this.notCovered, List.of(paths));
	}

	ResourceType<T> resource() {
		return ResourceType.of(this.type);
	}

	@Override
	public String toString() {
		return this.type.getSimpleName();
	}

}
