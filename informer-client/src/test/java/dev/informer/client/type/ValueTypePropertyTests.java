/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

import com.google.gson.Gson;
import io.kubernetes.client.openapi.JSON;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the descriptions of random classes, whose source code is generated from seeds.
 * With {@code -Dvaluetype.classes=100000} they run for long, from another seed each time
 * unless {@code -Dvaluetype.seed} is set. A class has its own seed, which its failure
 * names: that and {@code -Dvaluetype.classes=1} repeat it.
 */
class ValueTypePropertyTests {

	private static final int CLASSES = 200;

	private static final int BATCH = 100;

	private static final int OBJECTS = 1;

	/** Keeps adapters of all classes. */
	private final Gson gson = JSON.getGson();

	@AfterEach
	void restoreGson() {
		JSON.setGson(this.gson);
	}

	@Test
	void acceptedClasses_haveAllProperties(TestReporter reporter) throws Exception {
		int classes = Integer.getInteger("valuetype.classes", CLASSES);
		long seed = Long.getLong("valuetype.seed", (classes > CLASSES) ? System.currentTimeMillis() : 1);
		reporter.publishEntry("valuetype.seed", Long.toString(seed));
		int accepted = 0;
		try (SourceCompiler compiler = new SourceCompiler()) {
			for (int i = 0; i < classes; i += BATCH) {
				accepted += verify(compiler, seed + i, Math.min(BATCH, classes - i));
			}
		}
		reporter.publishEntry("accepted classes", accepted + " of " + classes);
		assertThat(accepted).isGreaterThan(classes / 2);
	}

	private int verify(SourceCompiler compiler, long seed, int count) throws Exception {
		JSON.setGson(this.gson.newBuilder().create());
		Map<Long, GeneratedType> types = new LinkedHashMap<>();
		for (long each = seed; each < seed + count; each++) {
			types.put(each, TypeGenerator.generate("Type" + each, each));
		}
		ClassLoader loader = load(compiler, types);
		int accepted = 0;
		for (Map.Entry<Long, GeneratedType> entry : types.entrySet()) {
			accepted += verify(entry.getKey(), entry.getValue(), loader) ? 1 : 0;
		}
		return accepted;
	}

	private static ClassLoader load(SourceCompiler compiler, Map<Long, GeneratedType> types) {
		Map<String, String> sources = new LinkedHashMap<>();
		types.values().forEach((type) -> sources.put(type.name(), type.source()));
		return compiler.compile(sources);
	}

	private static boolean verify(long seed, GeneratedType type, ClassLoader loader) throws Exception {
		try {
			return new ValueTypeProperties(type, loader.loadClass(type.name()), seed).verify(OBJECTS);
		}
		catch (AssertionError | RuntimeException | IOException ex) {
			throw new AssertionError(
					"-Dvaluetype.seed=" + seed + " -Dvaluetype.classes=1: " + ex.getMessage() + "\n" + type.source(),
					ex);
		}
	}

	@Test
	void copyThatSharesACollection_isFound() throws Exception {
		assertFails((object) -> object, "shared with the copy");
	}

	@Test
	void copyThatIsIncomplete_isFound() throws Exception {
		assertFails((object) -> {
			try {
				Object copy = Objects.requireNonNull(ValueType.copyOf(object));
				Field metadata = copy.getClass().getSuperclass().getDeclaredField("metadata");
				metadata.setAccessible(true);
				metadata.set(copy, null);
				return copy;
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}, "metadata");
	}

	private static void assertFails(UnaryOperator<@Nullable Object> copier, String words) throws Exception {
		GeneratedType type = TypeGenerator.generate("Control", 2);
		try (SourceCompiler compiler = new SourceCompiler()) {
			Class<?> loaded = load(compiler, Map.of(2L, type)).loadClass(type.name());
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> new ValueTypeProperties(type, loaded, 2, copier).verify(1))
				.withMessageContaining(words);
		}
	}

}
