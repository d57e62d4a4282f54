/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.Locale;

import dev.informer.client.ResourceType;
import dev.informer.spring.observation.InformerObservation.HighCardinalityTags;
import dev.informer.spring.observation.InformerObservation.LowCardinalityTags;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.common.KeyValues;

/**
 * Default {@link InformerObservationConvention}. Extend it to add keys.
 */
public class DefaultInformerObservationConvention implements InformerObservationConvention {

	@Override
	public String getName() {
		return "kubernetes.informer.handler.calls";
	}

	@Override
	public String getContextualName(InformerObservationContext context) {
		return context.getHandler() + " " + event(context);
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(InformerObservationContext context) {
		ResourceType<?> type = context.getInformer().resourceType();
		return KeyValues.of(LowCardinalityTags.INFORMER.withValue(context.getInformer().name()),
				LowCardinalityTags.RESOURCE.withValue(type.plural()),
				LowCardinalityTags.GROUP.withValue(type.group().isEmpty() ? "core" : type.group()),
				LowCardinalityTags.VERSION.withValue(type.version().isEmpty() ? "preferred" : type.version()),
				LowCardinalityTags.HANDLER.withValue(context.getHandler()),
				LowCardinalityTags.EVENT.withValue(event(context)),
				LowCardinalityTags.OUTCOME.withValue(outcome(context)));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(InformerObservationContext context) {
		V1ObjectMeta metadata = context.getEvent().object().getMetadata();
		KeyValues values = KeyValues.of(HighCardinalityTags.NAME.withValue(UntrustedText.of(metadata.getName())),
				HighCardinalityTags.RESOURCE_VERSION.withValue(UntrustedText.of(metadata.getResourceVersion())));
		return (metadata.getNamespace() != null)
				? values.and(HighCardinalityTags.NAMESPACE.withValue(UntrustedText.of(metadata.getNamespace())))
				: values;
	}

	private static String event(InformerObservationContext context) {
		return context.getEvent().type().name().toLowerCase(Locale.ROOT);
	}

	private static String outcome(InformerObservationContext context) {
		if (context.getError() != null) {
			return "error";
		}
		return context.isCompleted() ? "success" : "unknown";
	}

}
