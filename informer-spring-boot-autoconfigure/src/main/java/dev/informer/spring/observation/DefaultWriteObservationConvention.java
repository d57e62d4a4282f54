/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.Locale;

import dev.informer.client.ResourceType;
import dev.informer.spring.observation.InformerObservation.HighCardinalityTags;
import dev.informer.spring.observation.InformerObservation.WriteTags;
import dev.informer.support.UntrustedText;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWriteException;
import io.micrometer.common.KeyValues;

/**
 * Default {@link WriteObservationConvention}. Extend it to add keys.
 */
public class DefaultWriteObservationConvention implements WriteObservationConvention {

	@Override
	public String getName() {
		return "kubernetes.informer.writes";
	}

	@Override
	public String getContextualName(WriteObservationContext context) {
		return name(context.getWrite().operation()) + " " + context.getWrite().resourceType().plural();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(WriteObservationContext context) {
		ResourceType<?> type = context.getWrite().resourceType();
		return KeyValues.of(WriteTags.OPERATION.withValue(name(context.getWrite().operation())),
				WriteTags.RESOURCE.withValue(type.plural()),
				WriteTags.GROUP.withValue(type.group().isEmpty() ? "core" : type.group()),
				WriteTags.OUTCOME.withValue(outcome(context)));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(WriteObservationContext context) {
		ObjectWrite write = context.getWrite();
		KeyValues values = (write.name() != null)
				? KeyValues.of(HighCardinalityTags.NAME.withValue(UntrustedText.of(write.name()))) : KeyValues.empty();
		return (write.namespace() != null)
				? values.and(HighCardinalityTags.NAMESPACE.withValue(UntrustedText.of(write.namespace()))) : values;
	}

	private static String name(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	private static String outcome(WriteObservationContext context) {
		if (context.getOutcome() != null) {
			return name(context.getOutcome());
		}
		if (!(context.getError() instanceof ObjectWriteException refused)) {
			return (context.getError() != null) ? "error" : "unknown";
		}
		return switch (refused.getCode()) {
			case 403 -> "forbidden";
			case 409 -> refused.isNotOwned() ? "not_owned" : "conflict";
			case 429 -> "throttled";
			default -> "error";
		};
	}

}
