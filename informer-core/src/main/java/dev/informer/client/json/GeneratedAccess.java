/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the setters and constructors of the official models, generated while the
 * application runs. Since Java 18 (JEP 416) reflection goes through method handles that
 * are no constants, which the compiler cannot see through: on Java 25 a first list takes
 * a fifth less processor time without them. On Java 17 reflection is the faster one.
 * <p>
 * Classes of the user's own are left to reflection: their setters may do more than set.
 */
final class GeneratedAccess {

	/** A native image cannot define classes while it runs. */
	private static final boolean WORTHWHILE = Runtime.version().feature() >= 18
			&& System.getProperty("org.graalvm.nativeimage.imagecode") == null;

	private GeneratedAccess() {
	}

	/**
	 * Whether the objects of a class are to be made and filled by what is generated here.
	 */
	static boolean suits(Class<?> type) {
		return WORTHWHILE && type.getPackage() == V1ObjectMeta.class.getPackage();
	}

	/**
	 * What sets a field.
	 * @return {@code null} when the field has no setter that can be called
	 */
	@SuppressWarnings("unchecked")
	static @Nullable BiConsumer<Object, @Nullable Object> setter(Field field) {
		String name = field.getName();
		String setter = "set" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			MethodHandle method = lookup.findVirtual(field.getDeclaringClass(), setter,
					MethodType.methodType(void.class, field.getType()));
			return (BiConsumer<Object, @Nullable Object>) generate(lookup, BiConsumer.class, "accept",
					MethodType.methodType(void.class, Object.class, Object.class), method);
		}
		catch (ReflectiveOperationException ex) {
			return null;
		}
	}

	/**
	 * What calls a constructor that takes nothing.
	 * @return {@code null} when it cannot be called
	 */
	@SuppressWarnings("unchecked")
	static @Nullable Supplier<Object> constructor(Constructor<?> constructor) {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			return (Supplier<Object>) generate(lookup, Supplier.class, "get", MethodType.methodType(Object.class),
					lookup.unreflectConstructor(constructor));
		}
		catch (ReflectiveOperationException ex) {
			return null;
		}
	}

	private static Object generate(MethodHandles.Lookup lookup, Class<?> type, String name, MethodType erased,
			MethodHandle implementation) throws ReflectiveOperationException {
		try {
			return LambdaMetafactory
				.metafactory(lookup, name, MethodType.methodType(type), erased, implementation, implementation.type())
				.getTarget()
				.invoke();
		}
		catch (ReflectiveOperationException | RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new ReflectiveOperationException(ex);
		}
	}

}
