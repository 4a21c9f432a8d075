"""Made by python/generate.py from the tables of stages; do not edit."""
from typing import Any, Literal, Sequence, Union

class Stage(str):
    def __or__(self, other: str) -> Stage: ...

def gray(*, name: str = ..., save: str = ...) -> Stage:
    r"""Colour to gray: 3 channels become 1, 4 become 2 (alpha stays).

    Before thresholds, edges and measures of brightness: a third of the data, and one answer a pixel.

    Parameters:
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray  # keeps the brightness and drops the colour
        gray,threshold:otsu  # makes black and white of a colour picture
    """

def rgb(*, name: str = ..., save: str = ...) -> Stage:
    r"""Gray to colour: 1 channel becomes 3, 2 become 4 (alpha stays).

    After gray stages, where what follows or reads the file wants three channels.

    Parameters:
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,rgb  # a gray picture for a program that wants colour
        gray,rgb,brightness:0.2:channels=r  # a gray picture with a tint
    """

def alpha(mode: Literal['drop', 'add', 'over'] = ..., *, value: Union[float, str] = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Drops or adds the alpha channel, or lays the picture over a background.

    Before formats and stages without transparency, or to make a picture transparent.

    Parameters:
        mode: drop: without alpha; add: with alpha; over: before a background, then without (default drop)
        value: add: alpha of all pixels, 1 is opaque; over: how bright the background is, from 0 to 1 (default 1)
        colour: over: the background's colour, instead of value, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        alpha:drop  # the colours of all pixels, those that nobody saw, too
        alpha:over  # a picture with transparent parts, on white paper
        rgb,alpha:over:colour=#36c  # the same on blue paper
        alpha:add:value=50%  # makes the whole picture half transparent
    """

def matrix(m: Any = ..., known: Literal['given', 'sepia', 'bgr', 'ycbcr', 'from_ycbcr'] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""Mixes channels: each becomes a weighted sum of all.

    To mix, swap or weigh channels: sepia, another luma, colour correction by a measured matrix.

    Parameters:
        m: a row for each channel of the result, a number for each channel of the picture
        known: given: that of m; or sepia, red and blue changed, luma and colour differences as in JPEG, and back (default given)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        rgb,matrix:sepia  # the brown of old photographs
        rgb,matrix:ycbcr,blur:4:channels=1+2,matrix:from_ycbcr  # colours run, what is light and dark stays sharp
        matrix:[0 0 1; 0 1 0; 1 0 0]  # red and blue change places, which matrix:bgr does too
        matrix:[-1 0 0 1; 0 -1 0 1; 0 0 -1 1]  # the negative: a fourth column is added, in fractions of white
        matrix:[0 1 0]  # the green channel as a gray picture
    """

def saturation(factor: Union[float, str] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""Colours stronger or weaker.

    To make dull pictures vivid, or to tone loud ones down; brightness stays.

    Parameters:
        factor: 0 leaves gray, 1 changes nothing, above 1 colours are stronger, from 0 to 100 (default 1)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        saturation:1.6  # stronger colours
        saturation:0.3  # a faded picture
    """

def gain(gains: Any = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Each channel times a number.

    To balance colours by known factors, those of a camera say, or to expose a picture again.

    Parameters:
        gains: a number for each colour channel, or one for all
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gain:[1.15 1 0.85]  # warmer: more red, less blue
        gain:1.5  # half as bright again
        gain:-6dB  # half, of a picture or a signal
    """

def invert(*, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""The negative: white becomes black.

    Where what matters is dark on light and the next stage looks for light on dark.

    Parameters:
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        invert  # makes a negative, or a picture of a scanned one
        invert:channels=a  # swaps what is opaque and what is transparent
    """

def brightness(amount: Union[float, str] = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Lighter or darker by a constant.

    To shift all values alike; to lighten shadows and keep black and white, gamma is better.

    Parameters:
        amount: what is added, as a fraction of full scale, from -1 to 1 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        brightness:0.1  # makes the picture lighter by a tenth of full scale
        brightness:-25u8  # makes it darker by 25 of 255
    """

def contrast(factor: Union[float, str] = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""More or less contrast about middle gray.

    To pull values away from middle gray, or towards it.

    Parameters:
        factor: above 1 more contrast, below 1 less, from 0 to 1000 (default 1)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        contrast:1.5  # draws light and dark apart
        contrast:0.6,brightness:0.1  # makes a pale background for text
    """

def gamma(value: Union[float, str] = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Power law: lighten or darken the middle, keep black and white.

    To lighten or darken the middle tones, or to go between linear light and what is stored.

    Parameters:
        value: above 1 lightens the middle, below 1 darkens it, from 0.01 to 100 (default 1)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gamma:1.8  # lightens the shadows and leaves black and white as they are
        gamma:0.8:channels=b  # darkens the middle of blue, which makes the picture warmer
    """

def levels(low: Union[float, str] = ..., *, high: Union[float, str] = ..., gamma: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Stretch [low, high] over the whole scale.

    Where black and white of a scan or a camera do not reach the ends of the scale.

    Parameters:
        low: what becomes black, from 0 to 1 (default 0)
        high: what becomes white, from 0 to 1 (default 1)
        gamma: above 1 lightens the middle, below 1 darkens it, from 0.01 to 100 (default 1)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        levels:10%:high=90%  # makes the darkest tenth of the scale black and the lightest tenth white
        levels:20u8:high=230u8:gamma=1.2  # does so with sample values, and lightens the middle
    """

def lut(table: Any = ..., *, scale: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""A curve through levels of your own, or a cube of colours (.cube).

    For curves that were drawn or measured: tone curves, the response of a film or a display; and for looks
    that colour grading has made as a .cube file.

    Parameters:
        table: levels at equal distances from black to white, in one row, or a row for each colour; or the colours of a cube
        scale: what stands for white in the table: 255 in one of bytes, from 1e-06 to 1e+09 (default 1)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        lut:[0 0.15 0.5 0.85 1]  # a gentle S: more contrast in the middle
        lut:[1 0]  # the negative
        lut:[0 0.6 1; 0 0.5 1; 0 0.4 1]  # warm in the middle of the scale, black and white as they were
        lut:[0 0 0.1; 1 0 0; 0 0.9 0; 1 1 0; 0 0 1; 1 0 1; 0 0.9 1; 1 1 0.9]  # the least cube, of 8 colours: shadows a little blue, greens a little darker; films come as @film.cube
    """

def posterize(levels: int = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""The nearest of a few levels.

    For the look of a poster, or to see a picture as a display of few levels shows it.

    Parameters:
        levels: how many there are, black and white among them, from 2 to 65536 (default 4)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        posterize:4  # four levels a channel, as on a poster
        median:3,posterize:6  # the same with smoother edges
    """

def linear(*, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""From sRGB to linear light.

    Before blurring, resizing or adding pictures as light would; u8 has too few levels for the way back.

    Parameters:
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        convert:f32,linear,blur:4,srgb,convert:u8  # a blur as a lens makes it: of light, not of what is stored
        linear  # how much light each sample stands for
    """

def srgb(*, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""From linear light to sRGB.

    After linear, or for pictures that were computed as light, before they are shown or stored.

    Parameters:
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        convert:u16,linear,gain:2,srgb,convert:u8  # twice the light
        srgb  # makes a picture that holds light fit for a display
    """

def lab(way: Literal['to', 'from'] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""CIE L*a*b* of sRGB colours, and back.

    Where lightness or colour are to be changed alone, and distances are to be as large as they look.

    Parameters:
        way: to: L*, a* and b* of red, green and blue; from: back (default to)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        lab,clahe:channels=0,lab:from  # more contrast, hue and chroma as they were
        lab,blur:5:channels=1+2,lab:from  # spots of colour run, what is light and dark stays sharp
        convert:f32,lab  # for measuring: L* is 100 v, a* and b* are 255 v - 128
    """

def whitebalance(method: Literal['gray', 'white'] = ..., *, percentile: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Takes a cast of colour away, by gray or by white.

    For photographs under lamps or in shade. white wants something bright without colour that is not
    overexposed, gray a scene of many colours: a picture of mostly one becomes its complement. Where the factors are known, gain multiplies by them.

    Parameters:
        method: gray: the mean colour becomes gray; white: the brightest samples become white (default white)
        percentile: white: the percentile of each colour that becomes white, from 0 to 100 % (default 99)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        gain: by what the channel was multiplied, in 1

    Examples:
        whitebalance:percentile=95  # paper, snow and clouds are white; the brightest twentieth is lamps and glare
        whitebalance:gray  # so that the mean colour is gray, as of a scene of many colours
        linear,whitebalance,srgb  # the same in light, where a cast is a factor; convert:u16 before keeps levels
    """

def expr(formula: str = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""A formula of your own for each pixel.

    For arithmetic that no stage has; where one has it, that is the faster.

    Parameters:
        formula: one for all colours, or one for each channel, separated by ';'
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        expr:"v*0.8+0.1"  # less contrast: black becomes a tenth, white nine
        expr:"v*(1-((x/width-0.5)^2+(y/height-0.5)^2))"  # darker towards the corners
        expr:"if(v>0.5, 1-v, v)*2"  # light parts become their negative
        rgb,expr:"(r+g)/2; g; max(r,b)^1.2"  # each channel by a formula of its own
    """

def vignette(amount: Union[float, str] = ..., *, start: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Darker towards the corners, or lighter.

    To lead the eye to the middle, or against the dark corners of a lens.

    Parameters:
        amount: how much of their light the corners lose; below 0: how much they gain, from -1 to 1 (default 0.5)
        start: how far from the middle it begins, 1 being the corners, from 0 to 0.99 (default 0.3)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        vignette  # leads the eye to the middle
        vignette:-0.4:start=0  # lightens corners that a lens has made dark
    """

def tonemap(curve: Literal['reinhard', 'filmic', 'clip'] = ..., *, exposure: Union[float, str] = ..., white: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Light of any strength brought between black and white: tonemap,srgb of a .hdr.

    Behind reading a .hdr or .pfm, whose numbers are light and may be far above 1; srgb behind it makes
    the samples that displays and other files expect.

    Parameters:
        curve: reinhard: soft; filmic: with more contrast; clip: what is too bright becomes white (default reinhard)
        exposure: in stops, before the curve: 1 is twice the light, from -20 to 20 (default 0)
        white: reinhard: the light that becomes white; 0: none ever does, from 0 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        convert:f32,linear,tonemap:exposure=1.5,srgb  # brightens by one and a half stops and keeps the lights
        convert:f32,linear,gain:4,tonemap:filmic,srgb  # the contrast of a film
    """

def threshold(level: Union[float, str] = ..., method: Literal['fixed', 'otsu', 'mean', 'gaussian', 'sauvola'] = ..., *, radius: Union[int, str] = ..., offset: Union[float, str] = ..., sigma: Union[float, str] = ..., k: Union[float, str] = ..., range: Union[float, str] = ..., classes: int = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Black or white: threshold:0.5, threshold:otsu.

    To part what is light from what is dark, before label or a mask. otsu where the whole picture is evenly
    lit; mean or gaussian, with a neighbourhood wider than what is looked for, where it is not; sauvola for writing,
    as it leaves paper without any white.

    Parameters:
        level: the level of method fixed, from 0 to 1 (default 0.5)
        method: fixed: level; otsu: the level that best separates two classes, per channel; mean, gaussian: the neighbours' mean, each sample's own; sauvola: their mean and how far they spread (default fixed)
        radius: of the neighbourhood of mean and sauvola, 2 radius + 1 wide (auto: 7), and of gaussian (auto: as blur); of sauvola at most the longer side of the picture, or 64, and 32767, from 0 to 1e+06 px (default auto)
        offset: taken from the neighbours' mean: above 0, plain areas become white; mean of u8 and u16: the nearest integer, from -1 to 1 (default 0)
        sigma: standard deviation of gaussian; auto: 3, from 0.05 to 10000 px (default auto)
        k: of sauvola: how far below the mean the level is where all neighbours are alike, as part of the mean, from 0 to 1 (default 0.2)
        range: of sauvola: the standard deviation of the neighbours at which the level is their mean, from 0.001 to 1 (default 0.5)
        classes: of otsu: how many shades there are afterwards, from black to white, from 2 to 8 (default 2)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        level: the levels that method otsu chose, classes - 1; of no other method, in sample units

    Examples:
        gray,threshold:110u8  # makes all that is lighter than 110 of 255 white, the rest black
        gray,blur:1,threshold:otsu  # finds the level by itself, and prints it
        gray,threshold:otsu:classes=4  # four shades, parted where they differ most
        gray,threshold:mean:radius=15:offset=5%  # text on paper that is not evenly lit
        gray,threshold:gaussian:sigma=4  # what is lighter than its surroundings
        gray,threshold:sauvola:radius=12  # writing on paper, whose empty parts stay white
    """

def convert(depth: Literal['u8', 'u16', 'f32'] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""Another depth, full scale to full scale.

    To compute with more bits than the file has, or to store with fewer.

    Parameters:
        depth: the depth of the result (default f32)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        convert:u16  # writes 16 bits a sample
        convert:f32,blur:2,contrast:3,convert:u8  # computes without rounding or clamping in between
    """

def blend(with_: str = ..., *, mode: Literal['over', 'add', 'subtract', 'multiply', 'screen', 'difference', 'min', 'max', 'divide'] = ..., amount: Union[float, str] = ..., at: str = ..., scale: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Lays another picture over this one: over, add, subtract, multiply, screen, ....

    To lay a watermark or a logo, a mask or another exposure over a picture, to compare two of them, or to divide by a picture of the light alone.

    Parameters:
        with_: the picture above, of the same size unless at= is given: @FILE, or a name
        mode: what the two make together (default over)
        amount: how much of that, the rest stays as it was, from 0 to 1 (default 1)
        at: where it lies, of any size: southeast, southeast+10+10, centre, 30+40, ...
        scale: the second picture's size, beside its own, from 0.0001 to 10000 (default 1)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        blend:in:mode=multiply  # the picture times itself: darker, with deeper shadows
        blur:8,blend:in:mode=screen:amount=0.5  # a glow: the picture's own blur shines over it
        blur:3,blend:in:mode=difference  # what a blur takes away
        blend:in:at=southeast+10+10:scale=0.25:amount=0.8  # a small picture of itself in the lower right corner, 10 pixels from the edges
        blur:40:save=light,blend:in,blend:light:mode=divide  # even light on a page: the picture divided by what a wide blur leaves of it
    """

def mask(by: str = ..., *, value: Union[float, str] = ..., at: str = ..., scale: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Keeps the picture where another one is white.

    To keep the part of a picture that another one marks, drawn by hand or made by a threshold.

    Parameters:
        by: the mask, of the same size unless at= is given: @FILE, or a name
        value: what stands where the mask is black, from 0 to 1 (default 0)
        at: where it lies, of any size: southeast, southeast+10+10, centre, 30+40, ...
        scale: the second picture's size, beside its own, from 0.0001 to 10000 (default 1)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        threshold:0.5,mask:in  # what is bright in the picture, on black
        threshold:0.3,mask:in:value=1  # and on white
        mask:in:at=centre:scale=0.5  # the picture dimmed by a small one of itself, in the middle alone
    """

def difference(from_: str = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""How far the picture is from another one.

    To find what changed between two pictures, or what a filter took away.

    Parameters:
        from_: the other picture, of the same size: @FILE, or the name of an input
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        blur:2,difference:in,levels:0:high=20%  # what a blur takes away, made visible
        box:4,difference:in,stats  # and how much it is
    """

def text(text: str = ..., *, size: str = ..., at: str = ..., colour: Any = ..., box: Any = ..., padding: Union[int, str] = ..., font: str = ..., width: Union[int, str] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Writes letters on the picture.

    To caption a picture, to label what is measured in it, or for a watermark.

    Parameters:
        text: what to write, UTF-8; in double quotes \\n begins a new line
        size: how high an em is: 24, 24px, or 5% of the picture's height (default 24)
        at: where it lies: southeast, southeast+10+10, centre, 30+40, ... (default northwest)
        colour: of the letters, with alpha where they are to be transparent, from 0 to 1 colour (default 1)
        box: of a rectangle behind them; default: none, from 0 to 1 colour
        padding: pixels of the rectangle around them; auto: a quarter of the size, without box 0, from 0 to 10000 px (default auto)
        font: a file, or the name of a font where systems have them; default: DejaVuSans
        width: most pixels of a line, which is cut and ends in an ellipsis; auto: as many as it has, from 1 to 1e+06 px (default auto)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        text:"Lake, at dusk":size=28:at=southwest+12+10  # a caption in white, in the lower left corner
        text:"Fig. 1: the house":size=6%:at=south+0+8:box=#0008  # on a strip that lets half of the picture through
        text:"two\\nlines of text":at=centre:colour=orange:font=DejaVuSans-Bold  # two lines in the middle
        text:draft:size=40%:at=centre:colour=#ffffff40  # a watermark
    """

def draw(shape: Literal['rect', 'line', 'ellipse', 'boxes'] = ..., *, area: Union[str, Sequence[int]] = ..., from_: Any = ..., to: Any = ..., boxes: Any = ..., colour: Any = ..., fill: Any = ..., width: Union[float, str] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Draws a rectangle, a line, an ellipse or many boxes on the picture.

    To frame, strike out or cover parts of a picture, and to show what was found in it.

    Parameters:
        shape: boxes: several rectangles (default rect)
        area: rect and ellipse: where it is, as 80x60-5+10; parts may lie outside, from -1e+06 to 1e+06
        from_: line: one end, [x y], from -1e+06 to 1e+06
        to: line: the other end, from -1e+06 to 1e+06
        boxes: boxes: rows of x, y, width, height; @FILE.csv: a table that label has written, from -1e+06 to 1e+06
        colour: of the line or the edge, from 0 to 1 colour (default #f00)
        fill: of what is inside the edge; default: nothing, from 0 to 1 colour
        width: of the line, or of the edge, which lies inside; 0: no edge, from 0 to 10000 px (default 2)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        draw:rect:area=80x60+60+50:colour=orange:width=3  # a frame around a part of the picture
        draw:line:from=[20 130]:to=[190 40]:width=5:colour=#fff  # a line with round ends
        draw:ellipse:area=100x70+90+40:fill=#ff08:width=0  # a yellow spot, half transparent
        draw:boxes:boxes=[30 40 60 40; 120 80 50 30]  # several rectangles
    """

def beside(with_: str = ..., *, align: Literal['start', 'centre', 'end'] = ..., gap: int = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Puts another picture, of any size, to the right of this one.

    To show two pictures together, as one from before and one from after a filter.

    Parameters:
        with_: the second picture, of any size: @FILE, or a name
        align: where the lower of the two lies: at the top, in the middle or at the bottom (default start)
        gap: pixels between the two, from 0 to 1e+06 px (default 0)
        colour: of what neither covers; default: transparent, or black, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        blur:3,beside:in:gap=4:colour=1  # after and before, with a white line between them
        beside:in  # the picture twice, side by side
        resize:50%,beside:in:align=centre  # a small one beside the picture, half way down
    """

def below(with_: str = ..., *, align: Literal['start', 'centre', 'end'] = ..., gap: int = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Puts another picture, of any size, below this one.

    To show two pictures together, as one from before and one from after a filter.

    Parameters:
        with_: the second picture, of any size: @FILE, or a name
        align: where the narrower of the two lies: on the left, in the middle or on the right (default start)
        gap: pixels between the two, from 0 to 1e+06 px (default 0)
        colour: of what neither covers; default: transparent, or black, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        sobel,below:in:gap=2  # the picture below its edges
        below:in  # the picture twice, one above the other
    """

def blur(sigma: Union[float, str] = ..., *, radius: Union[int, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Gaussian blur.

    Against noise before edges and thresholds, and to look at larger structures only. The same in all
    directions, unlike box.

    Parameters:
        sigma: standard deviation, from 0.05 to 10000 px (default 1)
        radius: taps on each side; auto: floor(4 sigma + 0.5), or from sigma 8 on no end, from 0 to 1e+06 px (default auto)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        blur:2  # softens the picture, and removes fine noise
        blur:12:roi=110x140+170+50  # makes one rectangle, a face or a number plate, unreadable
        blur:12:roi=ellipse@110x140+170+50:feather=20  # the same in an ellipse with a soft edge
    """

def box(radius: int = ..., *, border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Mean of a square window.

    Where a local mean is wanted and cost must not grow with the radius; edges show as squares.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        box:3  # replaces each sample by the mean of the 7 x 7 samples around it
        box:15:border=reflect101  # smooths strongly, with the picture mirrored at its edges
    """

def sharpen(amount: Union[float, str] = ..., *, border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Sharpens the finest details: 3 x 3 pixels.

    For a quick crispness after scaling down. unsharp has a radius and leaves noise alone.

    Parameters:
        amount: how much; below 0 it blurs, from -100 to 100 (default 1)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        sharpen  # sharpens the finest details
        sharpen:0.25  # the same, but gently
    """

def unsharp(sigma: Union[float, str] = ..., *, amount: Union[float, str] = ..., threshold: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Sharpens: adds what a blur loses.

    To sharpen after scaling down, or with a large sigma and a small amount, for local contrast.

    Parameters:
        sigma: standard deviation of the blur: how wide the details are, from 0.05 to 10000 px (default 1)
        amount: how much is added; -1 leaves the blur, from -1 to 100 (default 1)
        threshold: where picture and blur differ by less, the picture stays as it is, from 0 to 1 (default 0)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        unsharp:1.5  # sharpens the picture
        unsharp:2:amount=0.8:threshold=3%  # the same, but leaves fine noise as it is
        unsharp:40:amount=0.3  # more contrast between neighbouring areas
    """

def conv(kernel: Any = ..., *, scale: Union[float, str] = ..., normalize: bool = ..., offset: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Weighted sum of the neighbourhood, with a kernel of your own.

    For any linear filter that has no stage of its own: relief, motion blur, and from a file, as in
    conv:@disc.png:normalize=on, what a lens does, with up to 2048 numbers a side. For Gaussians
    and means blur and box are faster.

    Parameters:
        kernel: weights row by row, of any width and height; a file may have up to 262144
        scale: what all weights are multiplied by, as 1/16, from -1e+09 to 1e+09 (default 1)
        normalize: divides all weights by their sum, so that areas keep their brightness (default off)
        offset: added to the sums; 0.5 shows sums below 0 of a kernel whose numbers add up to 0, from -100 to 100 (default 0)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        conv:[1 2 1; 2 4 2; 1 2 1]:normalize=on  # a slight blur, computed as [1 2 1] across and down
        conv:[0 -1 0; -1 5 -1; 0 -1 0]  # sharpens
        gray,conv:[-2 -1 0; -1 0 1; 0 1 2]:scale=1/4:offset=0.5  # relief, lit from the upper left
        conv:[1 1; 1 1]:scale=1/4  # the mean of each pixel and those to the right, below and in between
    """

def bilateral(sigma: Union[float, str] = ..., *, range: Union[float, str] = ..., radius: Union[int, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Smooths, and keeps edges: mean of what is near and alike.

    To take noise out of a picture before edges are found or colours are reduced. range is about twice the
    noise; larger, and edges go too. The time grows with the square of the radius.

    Parameters:
        sigma: standard deviation in space: how near a neighbour has to be, from 0.05 to 10000 px (default 2)
        range: standard deviation of values: how alike; edges much higher than this stay, from 0.0001 to 100 (default 0.1)
        radius: of the round window; auto: 1.5 sigma to the nearest, 1 to 50, from 0 to 50 px (default auto)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        bilateral  # smooths noise and skin, and leaves edges sharp
        bilateral:sigma=10:range=25u8:radius=4  # as OpenCV's bilateralFilter with d=9, 25 and 10
    """

def denoise_dct(sigma: Union[float, str] = ..., *, keep: Union[float, str] = ..., block: Literal['8', '4'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Less noise: small frequencies of the blocks around each pixel are left out.

    For even, grainy noise of known strength, as of sensors in little light: patterns and edges stay
    that a blur or a median would take with it. stats of a flat place tells sigma.

    Parameters:
        sigma: standard deviation of the noise, as 0.05 or 12u8, from 0 to 1 (default 0.05)
        keep: frequencies below keep * sigma are left out; less keeps more detail, and noise, from 0 to 100 (default 3)
        block: pixels a side of the blocks; 4 is for fine patterns and little noise (default 8)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        denoise_dct:0.05  # takes away noise of 5 % of white, and keeps edges and patterns
        denoise_dct:12u8:keep=2.5  # noise of 12 levels of a byte; a little less is taken away
    """

def sobel(axis: Literal['magnitude', 'x', 'y', 'angle'] = ..., *, operator: Literal['sobel', 'scharr', 'prewitt'] = ..., negative: Literal['auto', 'absolute', 'offset', 'keep'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Edges: strength, slope or direction of the gradient.

    To find edges and how strong they are; with axis= for slopes and directions. Blur first where the
    picture is noisy; canny makes lines one pixel wide of it.

    Parameters:
        axis: what is shown of the gradient: its strength, its slope along x or y, or its direction (default magnitude)
        operator: how the samples beside are weighted: 1 2 1, 3 10 3 (truer directions) or 1 1 1 (default sobel)
        negative: slopes below 0: absolute values, halved and moved to mid-gray, kept; auto: kept in f32, else absolute (default auto)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,sobel  # draws edges white on black
        gray,blur:1.5,sobel,invert  # draws the stronger edges dark on white, as a pencil does
        gray,sobel:x:negative=offset  # the slope to the right: brighter than mid-gray where the picture rises
        gray,convert:f32,sobel:angle:operator=scharr  # the direction in which the picture rises, in turns
    """

def laplacian(neighbours: Literal['4', '8'] = ..., *, negative: Literal['auto', 'absolute', 'offset', 'keep'] = ..., scale: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Second derivative: lines and specks, and where edges turn.

    To find lines, specks and the middle of edges, or to measure sharpness: the variance of the result in f32.

    Parameters:
        neighbours: 4: those beside, above and below; 8: those at the corners, too (default 4)
        negative: results below 0: absolute values, halved and moved to mid-gray, kept; auto: kept in f32, else absolute (default auto)
        scale: what the result is multiplied by; 1/4 keeps all of it between -white and white, from -1e+09 to 1e+09 (default 1)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,laplacian  # draws fine lines and specks white on black
        gray,blur:2,laplacian:8:scale=4:negative=offset  # edges as steps from dark to bright around mid-gray
    """

def median(radius: int = ..., *, border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Middle one of the samples around: noise goes, edges stay.

    Against specks, dead pixels and lines thinner than the radius, where a blur would smear them and soften
    edges. Against the fine noise of every pixel a blur or bilateral does more.

    Parameters:
        radius: the window is 2 radius + 1 wide and high; at most the longer side of the picture, or 64, and 8191 (signals: 1000000), from 0 to 1e+06 px (default 1)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        median  # removes single wrong pixels (salt and pepper noise)
        median:3:channels=g  # the same of specks up to four pixels wide, in green alone
        convert:f32,median:20  # the background below what is smaller than some 20 pixels
    """

def rank(radius: int = ..., *, percentile: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Sample of any rank of those around, from the least to the greatest.

    Where median takes the middle, but more than half of the samples may be wrong, or all on one side; and for a
    robust estimate of local darkness or brightness. For 0% and 100% erode and dilate are faster.

    Parameters:
        radius: the window is 2 radius + 1 wide and high; at most the longer side of the picture, or 64, and 8191 (signals: 1000000), from 0 to 1e+06 px (default 1)
        percentile: which sample, from 0, the least, over 50, the median, to 100, the greatest, from 0 to 100 % (default 50)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        rank:2:percentile=25%  # darker than the median, but no speck decides alone, as one does with erode
        rank:15:percentile=90%  # how bright it is around, lamps and reflections left out
    """

def canny(low: Union[float, str] = ..., *, high: Union[float, str] = ..., sigma: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Outlines: thin edges that hang together with strong ones, white on black.

    Where lines are wanted, not a measure of steepness as of sobel: before tracing shapes, measuring
    them, or looking for straight lines. Raise low and high together against noise, low alone against loose ends.

    Parameters:
        low: steepness above which there may be an edge; a step of black to white has 4, from 0 to 6 (default 0.1)
        high: steepness above which an edge is strong; at least low, from 0 to 6 (default 0.2)
        sigma: standard deviation of the blur before it; 0: none, from 0 to 10000 px (default 1.4)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        canny  # draws the outlines of a photograph, one pixel thin
        canny:100u8:high=200u8:sigma=0  # the same bytes as cv2.Canny(image, 100, 200, L2gradient=True)
        canny:5%:high=30%:sigma=3,dilate  # coarse outlines, followed far, three pixels wide
    """

def erode(radius: int = ..., *, width: int = ..., height: int = ..., shape: Literal['rect', 'disk', 'diamond', 'cross'] = ..., footprint: Any = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Least sample of a window: dark areas grow.

    To make bright areas thinner, remove bright specks, or part bright areas that touch.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        width: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        height: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        shape: dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross (default rect)
        footprint: instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle, from 0 to 1
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        erode:2  # replaces each sample by the least of the 5 x 5 samples around it
        erode:width=9:height=1  # widens dark areas by four pixels to the left and right
        erode:4:shape=disk  # widens dark areas by four pixels in every direction
    """

def dilate(radius: int = ..., *, width: int = ..., height: int = ..., shape: Literal['rect', 'disk', 'diamond', 'cross'] = ..., footprint: Any = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Greatest sample of a window: bright areas grow.

    To make bright areas thicker, remove dark specks, or join bright areas that nearly touch.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        width: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        height: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        shape: dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross (default rect)
        footprint: instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle, from 0 to 1
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        dilate:2  # replaces each sample by the greatest of the 5 x 5 samples around it
        dilate:width=9:height=1  # widens bright areas by four pixels to the left and right
        dilate:footprint=[0 1 0; 1 1 1; 0 1 0]  # looks at the four neighbours only
    """

def open(radius: int = ..., *, width: int = ..., height: int = ..., shape: Literal['rect', 'disk', 'diamond', 'cross'] = ..., footprint: Any = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Erode, then dilate: bright specks go, large areas keep their size.

    To remove bright specks and thin bright lines and leave the outlines of what is larger.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        width: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        height: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        shape: dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross (default rect)
        footprint: instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle, from 0 to 1
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        open:2  # removes bright specks of less than 5 x 5 pixels
        open:6:shape=disk  # keeps bright areas that a disk of 13 pixels fits into
    """

def close(radius: int = ..., *, width: int = ..., height: int = ..., shape: Literal['rect', 'disk', 'diamond', 'cross'] = ..., footprint: Any = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Dilate, then erode: dark specks go, large areas keep their size.

    To fill dark holes and gaps and leave the outlines of what is larger.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        width: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        height: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        shape: dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross (default rect)
        footprint: instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle, from 0 to 1
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        close:2  # fills dark holes of less than 5 x 5 pixels
        threshold:otsu,close:shape=disk:radius=5  # joins the letters of a line
    """

def tophat(radius: int = ..., *, width: int = ..., height: int = ..., shape: Literal['rect', 'disk', 'diamond', 'cross'] = ..., footprint: Any = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""What open takes away: bright details.

    To take an uneven background away from bright details, before a threshold.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        width: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        height: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        shape: dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross (default rect)
        footprint: instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle, from 0 to 1
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        tophat:20  # bright details on a background that changes slowly
        tophat:15:shape=disk,threshold:otsu  # finds bright spots where the light is uneven
    """

def blackhat(radius: int = ..., *, width: int = ..., height: int = ..., shape: Literal['rect', 'disk', 'diamond', 'cross'] = ..., footprint: Any = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""What close adds: dark details.

    To take an uneven background away from dark details, before a threshold.

    Parameters:
        radius: the window is 2 radius + 1 wide and high, from 0 to 1e+06 px (default 1)
        width: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        height: of a rect, odd or even; 0: as radius says, from 0 to 2e+06 px (default 0)
        shape: dx^2 + dy^2 <= radius^2: disk; |dx| + |dy| <= radius: diamond; dx dy = 0: cross (default rect)
        footprint: instead of a shape: rows of 0 and 1, the pixel at or left of and above the middle, from 0 to 1
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        blackhat:20  # dark details on a background that changes slowly
        blackhat:12:shape=disk,invert  # dark writing on a page with shadows
    """

def crop(area: Union[str, Sequence[int]] = ..., time: str = ..., size: str = ..., *, frames: str = ..., gravity: Literal['centre', 'north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""A part of the picture, crop:160x120+10+20, or of a signal, crop:1.5s-4s.

    To work on a part, which then is all that is read, where the file can be read by rows.

    Parameters:
        area: the part that stays; X and Y are of its upper left pixel, from 0
        time: of a signal, from when to when, as 1.5s-4s; an end behind its end is that, from 0 to 1e+12 s
        frames: of a signal, from which frame up to, not with, which, as 0-1000, from 0 to 1e+14 frames
        size: instead of area: 200x100, 50%x50%, 200x, or 50% of both
        gravity: where in the picture a part of that size lies, top being north (default centre)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        crop:160x120+10+20  # keeps 160 x 120 pixels, from column 10 and row 20 on
        crop:50%  # the middle of the picture, half as wide and high
        crop:size=50%x40%:gravity=southeast  # the lower right corner
        blur:3,crop:100x100+50+50  # blurs with the true neighbours of what it then cuts out
    """

def trim(tolerance: Union[float, str] = ..., level: Union[float, str] = ..., *, colour: Any = ..., margin: int = ..., area: Union[str, Sequence[int]] = ..., keep: Union[float, str] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Borders of one colour cut off.

    For scans, drawings and plots; trim:3% where the border is not quite even, as of a JPEG. Before anything
    else runs, the stages before it run once to find the box, so that IN is read twice. Of a signal,
    trim:-50dB:keep=100ms: it begins a tenth of a second before it is heard.

    Parameters:
        tolerance: how far a channel of the border may lie from the border's colour, from 0 to 1 (default 0)
        colour: the border's; default: that of the upper left pixel, from 0 to 1 colour
        margin: so much of the border stays on each side, where there is as much, from 0 to 1e+06 px (default 0)
        area: what stays, found before by bounds or by trim itself; then no pixel is looked at
        level: of a signal: what counts as silence, below full scale, from -200 to 0 dB (default 0)
        keep: of a signal: so much of the silence stays at each end, as 100ms, from 0 to 1e+06 s (default 0)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,threshold:0.7,trim  # cuts to the box of all that is bright
        pad:9:border=constant:value=1,trim:3%:margin=4  # of a border that is not quite even 4 pixels stay
        trim:area=300x180+10+40  # what trim is once it has looked: see --print-pipeline
    """

def pad(size: int = ..., *, left: Union[int, str] = ..., right: Union[int, str] = ..., top: Union[int, str] = ..., bottom: Union[int, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., alpha: Union[float, str] = ..., colour: Any = ..., before: Union[float, str] = ..., after: Union[float, str] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""More pixels on each side, or frames of a signal, by a border rule.

    To give a picture a size that a later program wants, or to see what windows read outside.

    Parameters:
        size: pixels more on each side, from 0 to 1e+06 px (default 1)
        left: pixels on that side; auto: size, from 0 to 1e+06 px (default auto)
        right: pixels on that side; auto: size, from 0 to 1e+06 px (default auto)
        top: pixels on that side; auto: size, from 0 to 1e+06 px (default auto)
        bottom: pixels on that side; auto: size, from 0 to 1e+06 px (default auto)
        border: what the new pixels are (default replicate)
        value: their gray, for border=constant, from 0 to 1 (default 0)
        alpha: their alpha, for border=constant and a picture that has alpha; auto: 1, but 0 where no value or colour is given and colour is weighed by alpha, from 0 to 1 (default auto)
        colour: their colour instead of value; means border=constant, from 0 to 1 colour
        before: of a signal: so long in front of it; then size does not count, from 0 to 1e+09 s (default 0)
        after: the same, behind it, from 0 to 1e+09 s (default 0)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        pad:16:border=reflect101  # adds 16 pixels on each side, the picture mirrored at its edges
        pad:0:top=40:border=constant:value=1  # adds 40 white rows above
        pad:12:colour=#f80  # a frame of a colour; so is colour=orange, or rgb(255,136,0)
        pad:8:border=constant:alpha=0  # adds an edge that is transparent, where the picture has alpha
    """

def flip(axis: Literal['x', 'y', 'xy'] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""Mirrored: flip:x, flip:y, flip:xy.

    For pictures of mirrors and scans of the back side.

    Parameters:
        axis: x: left and right change places; y: top and bottom; xy: both (default x)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        flip:x  # mirrors: left becomes right
        flip:y  # puts the last row first, as for a picture that is stored from below
    """

def rotate(angle: Union[float, str] = ..., *, expand: bool = ..., filter: Literal['nearest', 'linear', 'cubic', 'lanczos'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., alpha: Union[float, str] = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Turned clockwise: rotate:90, rotate:2.5.

    For quarters of a turn, which lose nothing, and to straighten what hangs askew.

    Parameters:
        angle: clockwise; negative: the other way round, from -360 to 360 deg (default 90)
        expand: on: large enough for all corners; off: as large as before (default on)
        filter: what lies between pixels, but for quarter turns (default linear)
        border: what lies outside the picture (default constant)
        value: its gray, for border=constant, from 0 to 1 (default 0)
        alpha: its alpha, for border=constant and a picture that has alpha; auto: 1, but 0 where no value or colour is given and colour is weighed by alpha, from 0 to 1 (default auto)
        colour: its colour instead of value; means border=constant, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        rotate:90  # turns clockwise: the left side becomes the top
        rotate:-90  # turns the other way: the right side becomes the top
        rotate:2.5:filter=cubic:colour=white  # straightens a scan; the new corners are white
        rotate:30:expand=off  # cuts off the corners that the turn moves outside
    """

def deskew(max: Union[float, str] = ..., *, roi: Union[str, Sequence[int]] = ..., angle: Any = ..., expand: bool = ..., filter: Literal['nearest', 'linear', 'cubic', 'lanczos'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., alpha: Union[float, str] = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Turned so that lines of text lie level.

    For scanned pages, receipts and forms. Before anything else runs, the stages before it run once to
    find the angle, so that IN is read twice. A page without lines, noise for one, stays as it is.

    Parameters:
        max: lines lean by no more than that, either way, from 0.1 to 45 deg (default 15)
        roi: look for lines inside this rectangle only; default: the whole picture
        angle: by how many degrees lines lean clockwise, found before by skew or by deskew itself; then no pixel is looked at, from -45 to 45
        expand: on: large enough for all corners; off: as large as before (default on)
        filter: what lies between pixels (default linear)
        border: what lies outside the picture (default constant)
        value: its gray, for border=constant, from 0 to 1 (default 0)
        alpha: its alpha, for border=constant and a picture that has alpha; auto: 1, but 0 where no value or colour is given and colour is weighed by alpha, from 0 to 1 (default auto)
        colour: its colour instead of value; means border=constant, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        angle: by which lines leaned clockwise, and which was turned back, in degrees

    Examples:
        deskew:value=1  # lines of a scan lie level; the new corners are white
        deskew:5:expand=off  # looks for at most 5 degrees, and keeps the size
        deskew:angle=2.5  # what deskew is once it has looked: see --print-pipeline
    """

def transpose(*, name: str = ..., save: str = ...) -> Stage:
    r"""Rows become columns.

    To let what goes along rows go along columns.

    Parameters:
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        transpose  # mirrors the picture in the line from its upper left corner down to the right
        transpose,flip:x  # is a quarter turn clockwise, as rotate:90
    """

def resize(size: str = ..., *, width: Union[int, str] = ..., height: Union[int, str] = ..., filter: Literal['box', 'triangle', 'hamming', 'cubic', 'lanczos', 'mitchell'] = ..., fit: Literal['exact', 'inside', 'cover'] = ..., gravity: Literal['centre', 'north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] = ..., enlarge: bool = ..., light: Literal['stored', 'linear'] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Another size, antialiased: resize:800x600, resize:50%.

    To make pictures smaller without patterns that were not there (each filter is widened), or larger.

    Parameters:
        size: 800x600, 800x, x600 (the other side follows), or 50%
        width: of the result; auto: follows from height, from 1 to 1e+06 px (default auto)
        height: of the result; auto: follows from width, from 1 to 1e+06 px (default auto)
        filter: what a sample is made of, from coarse to sharp (default lanczos)
        fit: exact: stretched; inside: as large as fits; cover: fills it, cut off (default exact)
        gravity: the side that fit=cover keeps, top being north (default centre)
        enlarge: off: a picture that is smaller keeps its size (default on)
        light: what is weighted: samples as they are, or as sRGB the light they stand for (default stored)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        resize:50%  # halves width and height
        resize:160x  # makes it 160 pixels wide, and as high as that takes
        resize:200x200:fit=cover  # a square, filled: what is too much is cut off on both sides
        resize:600x600:fit=inside:enlarge=off  # shrinks what is larger, and leaves the rest alone
        resize:300%:filter=cubic  # enlarges softly
        resize:120x160:fit=cover:gravity=north  # upright, with all of the top: what is too much goes below
        resize:25%:light=linear  # keeps how bright fine patterns look: of black and white it makes 188, not 128
    """

def pixelate(size: int = ..., *, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Blocks of one colour each: pixelate:12.

    To make a part of a picture unrecognisable: blocks should be a good part of it, an eighth or more.

    Parameters:
        size: width and height of a block, from 1 to 100000 px (default 12)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        pixelate:12  # the picture in blocks of 12 x 12 pixels
        pixelate:16:roi=80x60+60+40  # a face or a number plate that nobody shall know
        pixelate:10:roi=ellipse@90x90+60+30  # the same in an ellipse
    """

def warp(matrix: Any = ..., *, width: Union[int, str] = ..., height: Union[int, str] = ..., corners: Any = ..., filter: Literal['nearest', 'linear', 'cubic', 'lanczos'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., alpha: Union[float, str] = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Seen through a matrix: leaned, turned, in perspective.

    To straighten what was taken at an angle, to lay pictures over each other, to correct by a measured matrix.
    What becomes smaller is not antialiased: resize first.

    Parameters:
        matrix: 2 or 3 rows of 3: where pixel (x, y) goes; a list, or @FILE
        width: of the result; auto: the picture's, or the longer side between corners, from 1 to 1e+06 px (default auto)
        height: of the result; auto: the picture's, or the longer side between corners, from 1 to 1e+06 px (default auto)
        corners: instead of matrix: x and y of what become the corners, clockwise from the upper left, from -1e+09 to 1e+09
        filter: what lies between pixels, from coarse to sharp (default linear)
        border: what lies outside the picture (default constant)
        value: its gray, for border=constant, from 0 to 1 (default 0)
        alpha: its alpha, for border=constant and a picture that has alpha; auto: 1, but 0 where no value or colour is given and colour is weighed by alpha, from 0 to 1 (default auto)
        colour: its colour instead of value; means border=constant, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        warp:[1 0.3 -20; 0 1 0]  # leans to the right, going down
        warp:[2 0 0; 0 2 0]:width=400:height=300:filter=cubic  # a part, twice as large
        warp:[1 0 0; 0 1 0; 0.001 0 1]:border=replicate  # turns the right side away from who looks
        warp:corners=[52 18 190 8 206 130 30 118]:filter=cubic  # a page seen at an angle, upright
        warp:[1 0 0.5; 0 1 0]:filter=lanczos  # moves by half a pixel
    """

def hist(bins: int = ..., *, min: Union[float, str] = ..., max: Union[float, str] = ..., range: Literal['given', 'auto'] = ..., roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Histogram of each channel; the picture passes unchanged.

    To see how values are spread: exposure, clipping, where a threshold may lie.

    Parameters:
        bins: equal bins over [min, max], the last closed, from 1 to 65536 (default 256)
        min: lower end of the first bin, from -1e+06 to 1e+06 (default 0)
        max: upper end of the last bin, from -1e+06 to 1e+06 (default 1)
        range: auto: each channel from its least to its greatest finite sample, not from min to max (default given)
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        counts: how many fall in each bin, from min up; `bins` of them, in samples
        lo: lower end of the first bin, in sample units
        hi: upper end of the last bin, in sample units
        below: how many lie below the first bin, in samples
        above: how many lie above the last bin, in samples
        nan: how many are NaN, in samples
        entropy: of a sample, by the shares of the bins; NaN where none has any, in bits

    Examples:
        gray,hist  # shows how many samples there are of each brightness
        hist:16:channels=r  # counts red in 16 bins
        convert:f32,laplacian,hist:range=auto  # of numbers that are on both sides of 0
    """

def stats(*, roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Min max mean stddev sum count argmin argmax of each channel; the picture passes unchanged.

    To measure, to check a file, or to find out in which range f32 lies.

    Parameters:
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        min: the least sample, in sample units
        max: the greatest sample, in sample units
        mean: the mean; NaN where nothing was counted, in sample units
        stddev: the standard deviation of the population, in sample units
        sum: the sum of all samples, in sample units
        count: how many were measured, without NaN, in samples
        nan: how many are NaN, in samples
        argmin: x, y of the first least sample in raster order; of a signal its frame, in pixels
        argmax: x, y of the first greatest sample in raster order; of a signal its frame, in pixels
        rms: signals: the root of the mean square, in sample units
        peak_db: signals: the greatest distance from 0; 0 dB: 1, full scale, in dB
        rms_db: signals: rms; that of a sine of full scale is -3.01, in dB
        seconds: signals: how long it is, with NaN; NaN without a rate, in s

    Examples:
        stats  # prints least, greatest, mean and deviation of each channel
        stats:roi=64x64+190+180:name=sun  # measures one rectangle, and calls the result sun
    """

def profile(axis: Literal['x', 'y'] = ..., *, roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Sum and mean of each column or row; the picture passes unchanged.

    To find lines of text, gaps, edges that stand upright, or uneven light; of one row of pixels it is
    the signal itself. Stages of signals may follow, which get the means: a frame a column or row, 1 Hz
    unless --rate says another one, as IN OUT.csv --stages gray,profile:y,lowpass:0.05Hz does. Stages for
    pictures and signals alike do so where OUT is a signal.

    Parameters:
        axis: x: a row of the table for each column, from the left; y: for each row, from the top (default x)
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        profile: a row for each place on the axis, in order

    Examples:
        gray,profile  # how bright each column is, from left to right
        profile:y:roi=64x64+190+180  # how bright each row of a rectangle is, for each colour
    """

def percentiles(at: Any = ..., *, roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Samples by their place in order, as the median; the picture passes unchanged.

    To see where most samples lie whatever the few do, and to choose levels for the stages after it.

    Parameters:
        at: which ones: 50 is the median, 0 the least, 100 the greatest, from 0 to 100 (default [0 1 5 25 50 75 95 99 100])
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        at: which percentiles there are, in percent
        value: the sample at each of them; NaN where nothing was counted, in sample units

    Examples:
        gray,percentiles  # says how dark the dark parts are, and how light the light ones
        percentiles:50:channels=g  # the median of green
    """

def points(min: Union[float, str] = ..., *, max: Union[float, str] = ..., limit: int = ..., roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""X, y and value of the pixels in an interval; the picture passes unchanged.

    To hand places on to other programs: stars, defects, seeds. limit=1 counts them, and keeps no table.

    Parameters:
        min: the least value of a point, from -1e+06 to 1e+06 (default 0.5)
        max: the greatest, from -1e+06 to 1e+06 (default 1)
        limit: only the first so many rows, and memory for no more; 0: all. count stays the true one, from 0 to 2.14748e+09 (default 0)
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        count: how many points there are, however many rows limit leaves; one value, in pixels
        points: a row a point, row by row from the top left

    Examples:
        gray,points:0.9  # lists the lightest pixels
        points:200u8:channels=r:limit=100  # lists the first hundred pixels whose red is at least 200
    """

def peaks(prominence: Union[float, str] = ..., *, min: Union[float, str] = ..., distance: int = ..., width: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Local maxima of a signal, or of each row, by prominence; the picture passes unchanged.

    To find beats, lines of a spectrum or stripes in noise: prominence leaves out ripples on a slope,
    which a threshold cannot.

    Parameters:
        prominence: how far a peak is above the higher of the two lowest samples between it and the next greater one on either side, at least, from 0 to 1e+06 (default 0)
        min: the least value of a peak; -1000000: any, from -1e+06 to 1e+06 (default -1000000)
        distance: of peaks that are nearer to each other the greatest stays, of equal ones the last, from 1 to 2.14748e+09 px (default 1)
        width: how wide a peak is where half of its prominence is left, at least; of a signal in frames, from 0 to 2.14748e+09 px (default 0)
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        count: how many there are; one value, of a signal one a channel, in peaks
        peaks: a row a peak, row by row from the top left
        peaks: signals: a row a peak, channel by channel

    Examples:
        gray,peaks:prominence=0.4:distance=20  # what stands out in each row, at most once in 20 pixels
        peaks:30u8:channels=g  # maxima of green that are 30 above what is around them
    """

def find(value: Union[float, str] = ..., colour: Any = ..., *, tolerance: Union[float, str] = ..., mode: Literal['first', 'all', 'count'] = ..., limit: int = ..., mark: Any = ..., roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Where the picture has a value or a colour: the first place, all, or how many.

    To look for a marker, a key colour, a dead pixel or the first sign of something; to count a mask.
    points takes the two ends of an interval instead.

    Parameters:
        value: what every measured sample is, of u8 and u16 the nearest value, from 0 to 1 (default 1)
        colour: instead of value: a colour, or a number for each measured channel, fractions of white, from -1e+06 to 1e+06 colour
        tolerance: how far each sample may lie from it, from 0 to 1 (default 0)
        mode: first: looks no further than the first place; all: every place; count: how many there are (default first)
        limit: of mode=all only the first so many rows, and memory for no more; 0: all. count stays the true one, from 0 to 2.14748e+09 (default 0)
        mark: the colour that the places in the table become, as red; alpha stays, from -1e+06 to 1e+06 colour
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        count: how many places there are; of mode=first 1 or 0; one value, in pixels
        places: a row a place, row by row from the top left; of mode=count none

    Examples:
        find:[0.45 0.25 0.2]:tolerance=0.1:mode=all:mark=lime  # marks what is nearly of a colour
        gray,find:200u8  # where the first pixel of 200 is
        gray,threshold:otsu,find:mode=count  # how many pixels of a mask are white
    """

def bounds(tolerance: Union[float, str] = ..., *, colour: Any = ..., roi: Union[str, Sequence[int]] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""The box of what is not border; the picture passes unchanged.

    To know what trim would cut, or where something lies on an even ground.

    Parameters:
        tolerance: how far a channel of the border may lie from the border's colour, from 0 to 1 (default 0)
        colour: the border's; default: that of the upper left pixel, from 0 to 1 colour
        roi: measure inside this rectangle only; default: the whole picture
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        x: column of the box's left edge, in pixels
        y: row of its upper edge, in pixels
        width: how wide it is; 0 where all is border, in pixels
        height: how high it is, in pixels

    Examples:
        bounds:2%  # where a scan begins and ends on its sheet
        gray,threshold:otsu,bounds:colour=0  # the box around all that is bright
    """

def skew(max: Union[float, str] = ..., *, roi: Union[str, Sequence[int]] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""The angle by which lines of text lean; the picture passes unchanged.

    To sort out pages that are askew, or to turn a page by what a part of it tells: deskew:angle=2.5.

    Parameters:
        max: lines lean by no more than that, either way, from 0.1 to 45 deg (default 15)
        roi: look for lines inside this rectangle only; default: the whole picture
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        angle: by which lines lean clockwise, their right end being lower; in tenths; 0: there are none, in degrees
        agreement: how alike all columns are along them; below 0.05 nothing is taken for lines, in 0 to 1

    Examples:
        skew  # tells how askew a scanned page is
        skew:5:roi=200x100+10+20  # looks at a part of it, for at most 5 degrees
    """

def equalize(*, roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Spread the values evenly over the scale, per channel.

    To see what lies in dark and bright areas at once; for measuring it is not made.

    Parameters:
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,equalize  # spreads a dull picture over the whole scale
        equalize  # does so with each channel by itself, which shifts colours
    """

def normalize(low: Union[float, str] = ..., level: Union[float, str] = ..., *, high: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Stretch what lies between two percentiles over the whole scale, per channel.

    To see a picture whose samples fill a part of the scale only: 12 bits in u16, or f32 of any range.
    Unlike equalize it keeps how samples differ. Of a signal, normalize:-1dB: its peak is 1 dB below full scale.

    Parameters:
        low: the percentile that becomes black, from 0 to 100 % (default 1)
        high: the percentile that becomes white, from 0 to 100 % (default 99)
        level: of a signal: what its peak becomes, below full scale, from -200 to 0 dB (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        low: the sample that became black, in sample units
        high: the sample that became white, in sample units

    Examples:
        gray,normalize  # brings a dull picture to the whole scale, whatever its few brightest pixels are
        blur:3,normalize:low=0:high=100  # from the least sample to the greatest, of which a blur left none at the ends
        gray,normalize:5%:high=95%  # more contrast, and more that is cut off
    """

def clahe(clip: Union[float, str] = ..., *, tiles: str = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Spread the values evenly over the scale, each region by itself, with a limit to the contrast.

    Where light differs across the picture: X-rays, microscopy, night. For one light, equalize does.

    Parameters:
        clip: how many times its even share a value may count, which bounds the contrast; 0: no limit, from 0 to 1e+06 (default 2)
        tiles: how many across and down, up to 32x32 (default 8x8)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,clahe  # brings out what lies in shadows and in bright places alike
        gray,clahe:4:tiles=4x4  # more contrast, from larger surroundings
        gray,clahe:clip=0:tiles=16x16  # all the contrast that there is, noise with it
    """

def quantize(colours: int = ..., *, dither: Literal['floyd', 'ordered', 'none'] = ..., spread: int = ..., palette: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Few colours, found in the picture or given, with dots or without; the palette as a table.

    For small files, displays of few colours, and the dominant colours of a picture (dither=none, --table).
    Of levels that are the same for every picture: posterize.

    Parameters:
        colours: how many there are at most, from 2 to 256 (default 16)
        dither: floyd: what a pixel lacks goes to its neighbours; ordered: a pattern of 8 x 8 pixels; none: the nearest colour (default floyd)
        spread: of ordered: how far apart what is added to a sample may be, of 255, from 0 to 255 (default 32)
        palette: the colours instead, of bytes, a row each, as [0 0 0; 255 128 0], or a file: of a picture its colours, each once, in the order in which rows have them
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        count: how many there are; one value, in colours
        palette: a row a colour

    Examples:
        quantize:16  # 16 colours, the ones that suit the picture
        gray,quantize:2  # black and white dots, as printers make them
        quantize:8:dither=none  # flat areas, as on a poster
        rgb,alpha:drop,quantize:dither=ordered:palette=[0 0 0; 255 255 255; 200 40 40]  # three inks, in a pattern
    """

def label(connectivity: Literal['4', '8'] = ..., *, of: Literal['nonzero', 'equal'] = ..., min_area: int = ..., max_area: int = ..., largest: int = ..., border: Literal['keep', 'drop'] = ..., output: Literal['labels', 'mask', 'keep', 'colours'] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Connected regions: their numbers as a picture, area, box, centroid, mean, min and max as a table.

    To count and measure separate things after a threshold: cells, letters, particles.

    Parameters:
        connectivity: 4: neighbours share an edge; 8: or a corner (default 8)
        of: nonzero: all that is not 0 belongs together; equal: only equal values (default nonzero)
        min_area: regions of fewer pixels are left out, from 1 to 2.14748e+09 px (default 1)
        max_area: regions of more pixels are left out, from 1 to 4.29497e+09 px (default 4294967294)
        largest: only that many regions are kept, the largest of those that are left, of equal areas the first ones; 0: all, from 0 to 2.14748e+09 (default 0)
        border: drop: regions that touch the edge of the picture are left out, of which more may lie outside (default keep)
        output: labels: numbers, u32, for .npy; mask: white in regions; keep: what was there; colours: one a region, RGB u8; else 0 (default labels)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        count: how many there are; one value, in regions
        regions: a row a region, in the order of their numbers

    Examples:
        gray,threshold:otsu,label:output=colours  # counts and measures the light regions, and shows them
        gray,threshold:0.6,label:4:min_area=20:output=mask  # leaves out specks of less than 20 pixels
        gray,threshold:otsu,label:largest=1:output=keep  # only what hangs together most
    """

def distance(metric: Literal['l2', 'squared', 'l1', 'chessboard'] = ..., *, output: Literal['distance', 'nearest'] = ..., name: str = ..., save: str = ...) -> Stage:
    r"""How far each pixel that is not 0 is from the nearest that is, or which one that is.

    To find middles, widths and gaps after a threshold: how thick a stroke is, how far cells lie apart.

    Parameters:
        metric: l2: Euclidean; squared: its square, an integer; l1: steps to four sides; chessboard: to eight (default l2)
        output: distance: how far it is, f32, or u64 if squared; nearest: where it is, y * width + x, u32 (default distance)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,threshold:otsu,distance,matrix:0.05  # how deep inside the light regions, white from 20 pixels on
        gray,threshold:otsu,invert,distance:output=nearest  # which light pixel is nearest
    """

def integral(*, name: str = ..., save: str = ...) -> Stage:
    r"""Sums of all samples above and to the left: a summed-area table, u64 or f64.

    To have sums over many rectangles of a picture at once: of any one in four look-ups.

    Parameters:
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,integral  # a table of sums, u64: four of its numbers make the sum of any rectangle
        convert:f32,integral  # the same of fractions of white, f64
    """

def match(template: str = ..., *, threshold: Union[float, str] = ..., limit: int = ..., name: str = ..., save: str = ...) -> Stage:
    r"""How alike a template and the picture are at each place; the best places as a table.

    To find a thing whose picture is known: a button, a mark on a board, a cell, a star. Light and
    contrast may differ, size and angle may not.

    Parameters:
        template: what is looked for, not larger than the picture: @FILE, or the name of an input
        threshold: the least score of a place in the table, from -1 to 1 (default 0.9)
        limit: only the best so many rows; 0: all. count stays the true one, from 0 to 2.14748e+09 (default 0)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        count: how many there are, however many rows limit leaves; one value, in places
        matches: a row a place, best first, of equal ones row by row

    Examples:
        gray,match:@template.png  # where the picture looks like template.png, and how much
        match:@template.png:threshold=0.7:limit=2  # the two places that look most like it, in colour
    """

def register(reference: str = ..., *, move: bool = ..., taper: bool = ..., filter: Literal['nearest', 'linear', 'cubic'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., alpha: Union[float, str] = ..., colour: Any = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Moved so that it lies upon another picture, to fractions of a pixel; tells the shift.

    For frames of a camera that shakes, and exposures to be stacked. Light and contrast may differ,
    size and angle may not: it finds shifts, up to half a side, of pictures that share most of what
    they show.

    Parameters:
        reference: what the picture is laid upon, of the same size: @FILE, or the name of an input
        move: off: it only tells the shift, and passes the picture unchanged (default on)
        taper: both fade out towards their edges before they are compared; off where they go round (default on)
        filter: what lies between pixels, from coarse to sharp; nearest: whole pixels (default cubic)
        border: what lies outside the picture (default constant)
        value: its gray, for border=constant, from 0 to 1 (default 0)
        alpha: its alpha, for border=constant and a picture that has alpha; auto: 1, but 0 where no value or colour is given and colour is weighed by alpha, from 0 to 1 (default auto)
        colour: its colour instead of value; means border=constant, from 0 to 1 colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Results:
        x: how far the picture is moved to the right; one value, in pixels
        y: how far down; one value, in pixels
        score: 1: they differ by the shift alone; a few hundredths: by all; one value, in 0 to 1

    Examples:
        register:@first.png  # a frame laid upon the first one, as of a camera that shakes
        register:@first.png:move=off  # only says how far
        register:@first.png:filter=nearest:border=replicate  # by whole pixels, which keeps every sample
    """

def wiener(psf: Any = ..., *, balance: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap'] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Takes back a blur whose kernel is known, by frequencies and in one step.

    For a picture out of focus, or of a camera that moved; its noise says how large balance must be.
    deconvolve takes longer, for sharper edges and nothing below 0. scipy.signal.wiener, which
    smooths by local variance, only has the name in common: see bilateral, denoise_dct.

    Parameters:
        psf: what a point of light became: weights row by row, of odd sides, up to 1024 numbers; they are divided by their sum, from 0 to 1e+09
        balance: how much smoothness counts: the less, the sharper, and the more noise, from 1e-09 to 1e+09 (default 0.01)
        border: what lies outside the picture; wrap: it is taken as a period (default reflect)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        wiener:[1 2 1; 2 4 2; 1 2 1]  # what a slight blur has taken away
        wiener:[0 0 1; 0 2 0; 1 0 0]:balance=0.001  # a slanting one, of a picture without noise; or from a file: wiener:@k.npy
        wiener:[1 1 1 1 1 1 1 1 1]:balance=0.1  # where the camera moved by 9 pixels, in poor light
    """

def deconvolve(psf: Any = ..., *, rounds: int = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap', 'constant'] = ..., value: Union[float, str] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Takes back a blur whose kernel is known, by Richardson and Lucy's rounds.

    For microscopes, telescopes and cameras that moved, whose picture of a point is known. What is 0
    stays 0, and nothing becomes negative. wiener does it in one step.

    Parameters:
        psf: what a point of light became: weights row by row, of odd sides, up to 1024 numbers; they are divided by their sum, from 0 to 1e+09
        rounds: the more, the sharper, and the more noise, from 1 to 100 (default 30)
        border: what a window reads outside the picture (default replicate)
        value: the value outside, for border=constant, from -1e+06 to 1e+06 (default 0)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        deconvolve:[1 2 1; 2 4 2; 1 2 1]:rounds=10  # what a slight blur has taken away
        deconvolve:[0 0 1; 0 2 0; 1 0 0]:rounds=50  # a slanting one; or the picture of a star or a point: deconvolve:@k.npy
        deconvolve:[1 1 1 1 1 1 1 1 1]  # where the camera moved by 9 pixels
    """

def dct(block: Union[int, str] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""How much of each frequency is in blocks of 8 x 8: the cosine transform (DCT-II), f32.

    To look at, weigh or leave out frequencies, as JPEG does; idct goes back.

    Parameters:
        block: sides of the blocks; at the right and lower edge they are as large as is left; or whole, from 2 to 64 px (default 8)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,dct  # the frequencies of each block of 8 x 8, the mean first, f32
        dct:block=16,idct:block=16  # there and back: the picture, in f32
        gray,dct:whole  # the frequencies of the whole picture
    """

def idct(block: Union[int, str] = ..., *, name: str = ..., save: str = ...) -> Stage:
    r"""The picture of the frequencies that dct makes, f32.

    To get a picture back after something was done to its frequencies.

    Parameters:
        block: sides of the blocks; at the right and lower edge they are as large as is left; or whole, from 2 to 64 px (default 8)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        dct,idct  # there and back: the picture, in f32
    """

def transform(*, left: str = ..., right: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""The picture times a matrix from the left, from the right or from both sides, f32.

    For any linear transform of columns and rows: bases of your own, projections, the whole picture's
    cosine transform, blurs that change from place to place. Matrices are .npy files, or pictures.

    Parameters:
        left: a matrix with a column for each row of the picture: @FILE, or the name of an input
        right: a matrix with a row for each column of the picture: @FILE, or the name of an input
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,transpose,transform:right=in,normalize  # how much each two columns of the picture are alike
    """

def frequency(low: Union[float, str] = ..., *, high: Union[float, str] = ..., shape: Literal['ideal', 'gauss', 'butterworth'] = ..., order: int = ..., negative: Literal['auto', 'absolute', 'offset', 'keep'] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap'] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Low-, high- or band-pass of a picture, by its Fourier transform.

    To leave out what is finer or coarser than a wavelength, whatever the direction: uneven light, grain,
    a blur that ends at a frequency. Waves of one frequency: notch.

    Parameters:
        low: frequencies below it pass, in cycles a pixel: 0.1 are waves of 10 pixels, from 0 to 1
        high: those above it pass; with low=: those in between, from 0 to 1
        shape: how it ends there: at once, which rings; as a Gaussian, 61 % there; as a Butterworth filter, 50 % (default gauss)
        order: of butterworth: the higher, the steeper, from 1 to 20 (default 2)
        negative: results below 0 of high=: absolute values, halved and moved to mid-gray, kept; auto: kept in f32, else absolute (default auto)
        border: what lies outside the picture; wrap: it is taken as a period (default reflect)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        frequency:low=0.05  # a blur: of waves of 20 pixels 61 % stay, of 10 pixels 14 %
        gray,frequency:high=0.02:negative=offset  # waves well below 50 pixels stay, around mid-gray: light that falls unevenly goes
        frequency:low=0.25:high=0.01:shape=butterworth:order=4:negative=offset  # a band of frequencies
    """

def fft(*, centre: bool = ..., name: str = ..., save: str = ...) -> Stage:
    r"""The Fourier transform of a picture: two channels, re and im, f32.

    To look at frequencies, or to weigh them; ifft goes back. im is where alpha was: to weigh it, too,
    mask needs channels=all, and expr a formula a channel. A filter that is a disk or a ring is frequency, one that
    takes waves away notch.

    Parameters:
        centre: frequency 0 in the middle, at (width / 2, height / 2), not at (0, 0) (default off)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,alpha:drop,fft:centre=on,magnitude,expr:"log(v + 1) / 10"  # the spectrum to look at: waves are pairs of spots
        gray,alpha:drop,fft,expr:"if(v*v+a*a<25,0,v);if(c0*c0+v*v<25,0,v)",ifft:real=on  # there and back, without waves whose magnitude is less than 5
    """

def ifft(*, centre: bool = ..., real: bool = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Back from the Fourier transform: two channels, re and im, or the real parts.

    Behind fft, once its numbers are weighted.

    Parameters:
        centre: frequency 0 is in the middle, as fft:centre=on has put it (default off)
        real: only the real parts: one channel (default off)
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,alpha:drop,fft,ifft:real=on  # there and back, in f32
    """

def magnitude(*, name: str = ..., save: str = ...) -> Stage:
    r"""How large complex numbers are: of two channels, re and im, one, f32.

    Behind fft, to look at a spectrum.

    Parameters:
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,alpha:drop,fft:centre=on,magnitude,expr:"log(v + 1) / 10"  # the spectrum to look at
    """

def phase(*, name: str = ..., save: str = ...) -> Stage:
    r"""The angle of complex numbers: of two channels, re and im, one, f32, in turns.

    Behind fft: how far waves are moved.

    Parameters:
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        gray,alpha:drop,fft:centre=on,phase  # where the waves of a picture begin
    """

def notch(frequency: Union[float, str] = ..., *, q: Union[float, str] = ..., harmonics: int = ..., phase: Literal['causal', 'zero'] = ..., at: Any = ..., radius: Union[float, str] = ..., border: Literal['replicate', 'reflect101', 'reflect', 'wrap'] = ..., roi: Union[str, Sequence[int]] = ..., feather: Union[float, str] = ..., channels: str = ..., name: str = ..., save: str = ...) -> Stage:
    r"""Takes one frequency away: hum and its multiples, or waves that run through a picture.

    Against the hum of the mains, at 50 or 60 Hz, and its harmonics. bandstop is wider. Of pictures against
    lines of interference, screens of print, moire: peaks of the spectrum that are not near its middle.

    Parameters:
        frequency: of a signal: which goes, as 50Hz; below half the rate, from 0 to 1e+12 Hz
        q: of a signal: the frequency over the width of the notch, from 0.01 to 100000 (default 30)
        harmonics: of a signal: notches at multiples of the frequency, itself counted, from 1 to 16 (default 1)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        at: of a picture: u v of each wave that goes, in cycles a pixel across and down; 0.1 0 are bars 10 pixels apart, 0 0 is the mean, from -0.5 to 0.5
        radius: of a picture: how far around each place, in the same unit, from 1e-06 to 0.5 (default 0.01)
        border: of a picture: what lies outside; wrap: it is taken as a period (default reflect)
        roi: act inside this rectangle or ellipse only; default: the whole picture
        feather: how far inside its edge the roi takes full effect; 0: at once, from 0 to 1e+06 px (default 0)
        channels: act on these channels only, or luma, unweighed by alpha; default: colour
        name: a name for the stage in results and reports
        save: a name for the picture behind the stage, for later ones that read a second picture

    Examples:
        notch:50Hz  # takes the hum of the mains away
        notch:50Hz:phase=zero  # the same, and the waves of an ECG stay where they are
        notch:60Hz:q=20:harmonics=8  # the same with its harmonics, up to 480 Hz
        notch:at=[0.125 0.0625]  # of a picture: slanting lines go, 8 pixels apart across and 16 down
        notch:at=[0.25 0; 0 0.25]:radius=0.02  # of a picture: a grid of 4 pixels
    """

def lowpass(frequency: Union[float, str] = ..., *, type: Literal['butterworth', 'chebyshev1', 'chebyshev2', 'elliptic', 'bessel'] = ..., order: int = ..., ripple: Union[float, str] = ..., attenuation: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Keeps what is below a frequency: a recursive filter.

    Against noise and hiss above what matters, and before frames are left out. resample has a filter of its own.

    Parameters:
        frequency: where the band ends, as 1kHz; below half the rate, from 0 to 1e+12 Hz
        type: how it is designed: flat; steeper with ripples in the passband, the stopband or both; or of even delay (default butterworth)
        order: the higher, the steeper, from 1 to 32 (default 4)
        ripple: in the passband, of chebyshev1 and elliptic, from 0.0001 to 20 dB (default 1)
        attenuation: of the stopband, of chebyshev2 and elliptic, from 1 to 300 dB (default 60)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        lowpass:1kHz  # takes away what is above 1 kHz
        lowpass:20Hz:type=bessel:order=2  # smooths the numbers of a sensor, without overshooting at steps
        lowpass:19kHz:type=elliptic:order=8:ripple=0.1:attenuation=96  # as steep as it gets, before frames are left out
    """

def highpass(frequency: Union[float, str] = ..., *, type: Literal['butterworth', 'chebyshev1', 'chebyshev2', 'elliptic', 'bessel'] = ..., order: int = ..., ripple: Union[float, str] = ..., attenuation: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Keeps what is above a frequency: a recursive filter.

    Against rumble, drift and offsets.

    Parameters:
        frequency: where the band ends, as 1kHz; below half the rate, from 0 to 1e+12 Hz
        type: how it is designed: flat; steeper with ripples in the passband, the stopband or both; or of even delay (default butterworth)
        order: the higher, the steeper, from 1 to 32 (default 4)
        ripple: in the passband, of chebyshev1 and elliptic, from 0.0001 to 20 dB (default 1)
        attenuation: of the stopband, of chebyshev2 and elliptic, from 1 to 300 dB (default 60)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        highpass:80Hz  # takes away rumble and handling noise
        highpass:0.5Hz:order=2  # takes a slow drift out of an ECG
    """

def bandpass(band: str = ..., *, type: Literal['butterworth', 'chebyshev1', 'chebyshev2', 'elliptic', 'bessel'] = ..., order: int = ..., ripple: Union[float, str] = ..., attenuation: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Keeps what is between two frequencies: a recursive filter.

    To look at one band only: speech, a rhythm of an EEG, the note of a bearing.

    Parameters:
        band: where the band begins and ends, as 300Hz-3.4kHz; below half the rate, from 0 to 1e+12 Hz
        type: how it is designed: flat; steeper with ripples in the passband, the stopband or both; or of even delay (default butterworth)
        order: the higher, the steeper, from 1 to 16 (default 4)
        ripple: in the passband, of chebyshev1 and elliptic, from 0.0001 to 20 dB (default 1)
        attenuation: of the stopband, of chebyshev2 and elliptic, from 1 to 300 dB (default 60)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        bandpass:300Hz-3.4kHz  # the band of a telephone
        bandpass:300Hz-3.4kHz:order=8:phase=zero  # the same, steep, and no frame is delayed
        bandpass:8-12Hz:type=chebyshev2:attenuation=40  # alpha waves of an EEG
    """

def bandstop(band: str = ..., *, type: Literal['butterworth', 'chebyshev1', 'chebyshev2', 'elliptic', 'bessel'] = ..., order: int = ..., ripple: Union[float, str] = ..., attenuation: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Takes away what is between two frequencies: a recursive filter.

    Against a disturbance that fills a band. notch is narrower, for one that has a single frequency.

    Parameters:
        band: where the band begins and ends, as 300Hz-3.4kHz; below half the rate, from 0 to 1e+12 Hz
        type: how it is designed: flat; steeper with ripples in the passband, the stopband or both; or of even delay (default butterworth)
        order: the higher, the steeper, from 1 to 16 (default 4)
        ripple: in the passband, of chebyshev1 and elliptic, from 0.0001 to 20 dB (default 1)
        attenuation: of the stopband, of chebyshev2 and elliptic, from 1 to 300 dB (default 60)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        bandstop:45-55Hz  # takes a broad hum away
        bandstop:1-2kHz:type=elliptic:order=6  # takes a band away, steeply
    """

def peak(frequency: Union[float, str] = ..., *, gain: Union[float, str] = ..., q: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""More or less of a band around a frequency.

    To bring out or hold back one region of a sound.

    Parameters:
        frequency: of its middle, as 1kHz; below half the rate, from 0 to 1e+12 Hz
        gain: below 0: less, from -200 to 200 dB (default 0)
        q: the frequency over the width, from 0.01 to 100000 (default 1)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        peak:1kHz:gain=-6dB  # half as much around 1 kHz
        peak:3kHz:gain=2dB:phase=zero  # 4 dB, as both passes count
        peak:3kHz:gain=4dB:q=2  # speech that is easier to follow
    """

def lowshelf(frequency: Union[float, str] = ..., *, gain: Union[float, str] = ..., q: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""More or less of all that is below a frequency.

    Bass, as the knob of an amplifier has it.

    Parameters:
        frequency: of its middle, as 1kHz; below half the rate, from 0 to 1e+12 Hz
        gain: below 0: less, from -200 to 200 dB (default 0)
        q: how steep; beyond the default it overshoots, from 0.01 to 100000 (default 0.70710678118654757)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        lowshelf:200Hz:gain=6dB  # more bass
    """

def highshelf(frequency: Union[float, str] = ..., *, gain: Union[float, str] = ..., q: Union[float, str] = ..., phase: Literal['causal', 'zero'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""More or less of all that is above a frequency.

    Treble, as the knob of an amplifier has it.

    Parameters:
        frequency: of its middle, as 1kHz; below half the rate, from 0 to 1e+12 Hz
        gain: below 0: less, from -200 to 200 dB (default 0)
        q: how steep; beyond the default it overshoots, from 0.01 to 100000 (default 0.70710678118654757)
        phase: zero: once more backward, so that nothing is delayed and the gain counts twice; waits for the whole signal (default causal)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        highshelf:5kHz:gain=-3dB  # less hiss
    """

def dcblock(frequency: Union[float, str] = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""Takes an offset away.

    Before gain, and where a converter adds a constant to every frame. highpass is steeper.

    Parameters:
        frequency: where the gain is -3 dB; at most a tenth of the rate, from 0 to 1e+12 Hz (default 10)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        dcblock  # takes an offset away
        dcblock:0.05Hz  # the same for slow signals
    """

def deemphasis(tau: Union[float, str] = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""Takes back the treble that FM radio and old discs were made with.

    For what a receiver of FM delivers: 50 us in Europe, 75 us in America.

    Parameters:
        tau: the time constant, as 75us, from 1e-09 to 1 s (default 50us)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        deemphasis  # of European FM
        deemphasis:75us  # of American FM
    """

def weighting(curve: Literal['a', 'c', 'k'] = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""Weighs frequencies as ears and meters do: A, C or K.

    Before levels are measured: A and C as sound level meters have them, K as loudness does.

    Parameters:
        curve: which curve (default a)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        weighting:a  # as a sound level meter weighs
    """

def iir(sections: Any = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""A recursive filter of your own: second-order sections.

    For filters that another program has designed: save sos by numpy.save, and give @sos.npy.

    Parameters:
        sections: rows b0 b1 b2 a0 a1 a2 as SciPy's sos, at most 16
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        iir:[1 0 0 1 -0.9 0]  # y = x + 0.9 y[-1]: a leaky sum
    """

def fir(coefficients: Any = ..., *, lowpass: Union[float, str] = ..., highpass: Union[float, str] = ..., bandpass: str = ..., bandstop: str = ..., taps: int = ..., window: Literal['kaiser', 'hamming', 'hann', 'blackman', 'boxcar'] = ..., beta: Union[float, str] = ..., centre: Union[int, str] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""A sum of taps, of a file or designed.

    Where all frequencies are to be delayed alike, which recursive filters do not, or taps are given. lowpass
    and its neighbours take less time.

    Parameters:
        coefficients: taps, that of the newest frame first, as lfilter has them; else one of the next four, from -1e+30 to 1e+30
        lowpass: designs one that keeps what is below a frequency, where the gain is 1/2, from 0 to 1e+12 Hz
        highpass: what is above, from 0 to 1e+12 Hz
        bandpass: what is between two, from 0 to 1e+12 Hz
        bandstop: what is not between two, from 0 to 1e+12 Hz
        taps: of a design; the more, the steeper; an odd number for highpass and bandstop, from 1 to 65535 (default 255)
        window: what the taps of a design are multiplied by (default kaiser)
        beta: of kaiser; the more, the less passes in the stopband, and the wider the edge, from 0 to 500 (default 8)
        centre: the tap of the frame itself; auto: the middle one, or behind the middle; 0: all lie in the past, from 0 to 65534 (default auto)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        fir:lowpass=1kHz  # what is below 1 kHz, without delay and with all its waves in step
        fir:bandpass=300Hz-3.4kHz:taps=1023:window=blackman  # the band of speech, steeply
        fir:[0.25 0.5 0.25]  # taps of your own
        fir:[1 -0.95]:centre=0  # a filter of the past alone: pre-emphasis of speech
    """

def differentiate(*, channels: str = ..., name: str = ...) -> Stage:
    r"""The slope at each frame.

    For speeds from places and accelerations from speeds. Of noisy curves savgol:derivative=1 is smoother.

    Parameters:
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        differentiate  # speeds of places
        lowpass:100Hz,differentiate  # the same where there is noise, which it would raise
    """

def integrate(*, channels: str = ..., name: str = ...) -> Stage:
    r"""The sum over time so far.

    For speeds from accelerations and places from speeds. An offset becomes a ramp: dcblock before it takes one away.

    Parameters:
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        integrate  # places of speeds
        dcblock:0.1Hz,integrate  # the same without the drift of an offset
    """

def delay(time: Union[float, str] = ..., *, frames: Union[int, str] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""The same, later, for as long as it was.

    To bring one recording in step with another. The signal keeps its length: what would lie behind its end goes.

    Parameters:
        time: as 20ms; to the nearest frame, from 0 to 1e+09 s
        frames: the same in frames instead, where no rate is known; auto: of the time, from 1 to 1.67772e+07 (default auto)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        delay:20ms  # 20 ms later
        delay:frames=64  # 64 frames later
    """

def comb(delay: Union[float, str] = ..., *, frames: Union[int, str] = ..., gain: Union[float, str] = ..., feedback: bool = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Adds what was a while ago: echoes, and filters like combs.

    For echoes, and against a tone with all its harmonics; notch:harmonics=8 takes narrower bands.

    Parameters:
        delay: how long ago, as 10ms; to the nearest frame, from 0 to 1e+09 s
        frames: the same in frames instead, where no rate is known; auto: of the time, from 1 to 1.67772e+07 (default auto)
        gain: how much of that; below 0 it is taken away, from -1 to 1 (default 0.5)
        feedback: adds what came out then, not what came in: an echo of echoes (default off)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        comb:20ms:gain=-1  # takes 50 Hz and all its multiples away, and what does not change
        comb:300ms:gain=0.4:feedback=on  # echoes
    """

def rms(window: Union[float, str] = ..., *, frames: Union[int, str] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""How strong the signal is around each frame: root of the mean of squares.

    For levels over time, muscles and machines. envelope follows a tone itself, within its waves.

    Parameters:
        window: how long the mean is over, from 0 to 1e+09 s (default 50ms)
        frames: the same in frames instead, where no rate is known; auto: of the time, from 1 to 1.04858e+06 (default auto)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        rms:50ms  # the level of speech from syllable to syllable
        highpass:1kHz,rms:10ms,decimate:100  # how strongly a bearing rattles, a few times a second
    """

def envelope(taps: int = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""How strong an oscillation is, without its waves.

    Behind a bandpass, for the modulation of a tone: faults of bearings, bursts of an EEG, AM. For a level of all
    frequencies rms.

    Parameters:
        taps: of the transformer, an odd number; the more, the lower the tones it is right for, from 3 to 65535 (default 255)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        bandpass:2kHz-4kHz,envelope  # how strongly a machine rings, stroke by stroke
        bandpass:8-12Hz:order=2,envelope:8191  # how strong the alpha waves of an EEG are
    """

def gate(level: Union[float, str] = ..., *, window: Union[float, str] = ..., frames: Union[int, str] = ..., range: Union[float, str] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Silence where it is quiet.

    Against the noise between words and notes. It looks ahead by half the window, so that beginnings stay.

    Parameters:
        level: of the rms, below which it is quiet; 0 dB is 1, from -300 to 300 dB (default -40)
        window: of the rms, from 0 to 1e+09 s (default 50ms)
        frames: the same in frames instead, where no rate is known; auto: of the time, from 1 to 1.04858e+06 (default auto)
        range: how far down quiet frames go; all: to 0, from 0 to 300 dB (default all)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        gate:-40dB  # silence between words
        gate:-50dB:window=20ms:range=12dB  # softer between them, not silent
    """

def crossings(level: Union[float, str] = ..., *, hysteresis: Union[float, str] = ..., edge: Literal['rising', 'falling', 'both'] = ..., name: str = ...) -> Stage:
    r"""When the signal crosses a level, and how often; it passes unchanged.

    To count turns and pulses, to find out a frequency, to see when something begins.

    Parameters:
        level: which level, from -1e+30 to 1e+30 (default 0)
        hysteresis: how far it must have been on either side, so that noise about the level is one crossing, from 0 to 1e+30 (default 0)
        edge: which ones (default rising)
        name: a name for the stage in results and reports

    Results:
        count: how many there are, in crossings
        frequency: how many periods lie between the first and the last, over that time; or NaN, in Hz
        crossings: a row a crossing, channel by channel

    Examples:
        crossings  # the frequency of a hum, and when each period begins
        crossings:0.5:hysteresis=0.1:edge=both  # when a switch goes on and off
    """

def correlate(with_: str = ..., *, max: Union[float, str] = ..., frames: Union[int, str] = ..., name: str = ...) -> Stage:
    r"""The delay to another signal, and how alike both are; it passes unchanged.

    To bring recordings of the same in step, by delay or crop, or to measure how long something takes.

    Parameters:
        with_: the other signal: @FILE, the name of an input, or in: IN itself
        max: the greatest delay, either way, from 0 to 1e+09 s (default 0.1)
        frames: the same in frames instead, where no rate is known; auto: of the time, from 1 to 6.71089e+07 (default auto)
        name: a name for the stage in results and reports

    Results:
        delay: how much later the signal is; negative: earlier; NaN without a rate, in s
        frames: the same in frames, in frames
        coefficient: of correlation there, from -1 to 1; NaN of a constant

    Examples:
        correlate:@other.wav  # how much later it is than other.wav, and how alike they are then
        correlate:@clap.wav:max=2s  # the same, up to two seconds
    """

def loudness(*, name: str = ...) -> Stage:
    r"""How loud the signal is to ears: LUFS, range, true peak; it passes unchanged.

    Before sound is published: broadcasters ask for -23 LUFS, streaming services for some -14.

    Parameters:
        name: a name for the stage in results and reports

    Results:
        integrated: of all of it that is not silent; one value, in LUFS
        range: between its quiet and its loud parts; one value, in LU
        momentary_max: the loudest 0.4 s; one value, in LUFS
        short_term_max: the loudest 3 s; one value, in LUFS
        true_peak: the greatest distance from 0, also between frames, in dBTP

    Examples:
        loudness  # whether a programme has -23 LUFS, and how far its peaks are from full scale
    """

def spectrum(frames: int = ..., *, time: Union[float, str] = ..., window: Literal['hann', 'hamming', 'blackman', 'kaiser', 'boxcar'] = ..., beta: Union[float, str] = ..., overlap: Union[float, str] = ..., hop: Union[int, str] = ..., detrend: Literal['constant', 'none'] = ..., scaling: Literal['density', 'power'] = ..., db: bool = ..., name: str = ...) -> Stage:
    r"""How the power of the signal is spread over frequencies; it passes unchanged.

    To see which tones and which noise there are, and whether a filter did what it should. What changes with time
    is in a spectrogram.

    Parameters:
        frames: of a segment; the more, the closer frequencies may lie, and the less is known of the time, from 2 to 1.04858e+06 (default 1024)
        time: how long a segment is, instead of its frames, from 0 to 1e+09 s
        window: what frames of a segment are multiplied by (default hann)
        beta: of kaiser; the more, the less a tone shows at other frequencies, and the wider it is, from 0 to 500 (default 8)
        overlap: which part of its frames a segment has in common with the next one, from 0 to 0.99 (default 0.5)
        hop: frames from a segment to the next; auto: by overlap, from 1 to 1.04858e+06 (default auto)
        detrend: what each segment loses: its mean, or nothing (default constant)
        scaling: power per Hz, for noise, or the power of a tone (default density)
        db: 10 log10 of it (default off)
        name: a name for the stage in results and reports

    Results:
        segments: how many are averaged; one value, in segments
        spectrum: a row a frequency, ascending

    Examples:
        spectrum:4096:db=on  # tones in noise, in dB; --plot draws it
        spectrum:time=2s:scaling=power  # how strong the lines of an EEG or a motor are
    """

def spectrogram(frames: int = ..., *, time: Union[float, str] = ..., window: Literal['hann', 'hamming', 'blackman', 'kaiser', 'boxcar'] = ..., beta: Union[float, str] = ..., overlap: Union[float, str] = ..., hop: Union[int, str] = ..., scale: Literal['db', 'power', 'magnitude'] = ..., range: Union[float, str] = ..., top: Union[float, str] = ..., mel: Union[int, str] = ..., formula: Literal['slaney', 'htk'] = ..., band: str = ..., name: str = ...) -> Stage:
    r"""Makes a picture of which frequencies a signal has when; the last stage.

    To see speech, songs of birds, machines that start: time goes to the right, frequency upwards. For one
    spectrum of the whole signal spectrum.

    Parameters:
        frames: of a segment; the more, the closer frequencies may lie, and the less is known of the time, from 2 to 1.04858e+06 (default 1024)
        time: how long a segment is, instead of its frames, from 0 to 1e+09 s
        window: what frames of a segment are multiplied by (default hann)
        beta: of kaiser; the more, the less a tone shows at other frequencies, and the wider it is, from 0 to 500 (default 8)
        overlap: which part of its frames a segment has in common with the next one, from 0 to 0.99 (default 0.75)
        hop: frames from a segment to the next; auto: by overlap, from 1 to 1.04858e+06 (default auto)
        scale: what a pixel is: dB from black to white, the power, or its root (default db)
        range: how far black is below white, from 1 to 1000 dB (default 100)
        top: what is white; a tone from -1 to 1 has -3 dB, from -1000 to 1000 dB (default 0)
        mel: rows are that many bands of the mel scale, which grow wider upwards, from 1 to 4096 (default off)
        formula: of mel: linear below 1 kHz, or 2595 log10(1 + f / 700) (default slaney)
        band: of mel: where the first band begins and the last one ends; empty: 0 Hz and half the rate, from 0 to 1e+12 Hz
        name: a name for the stage in results and reports

    Examples:
        spectrogram  # what a recording is made of, as PNG of 8 bits a sample
        mix:mono,spectrogram:2048:hop=480:range=80  # one picture of all channels, a hundred columns a second at 48 kHz
        spectrogram:time=25ms:hop=160:mel=80:band=20Hz-7.6kHz  # what recognises speech is fed with, at 16 kHz
    """

def savgol(window: int = ..., *, order: int = ..., derivative: int = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""Smooths by polynomials, and keeps the height of peaks.

    For spectra and measured curves, whose peaks a mean would flatten; derivative= for slopes.

    Parameters:
        window: frames, an odd number, from 1 to 65535 (default 21)
        order: of the polynomials, below the window, from 0 to 32 (default 3)
        derivative: 0: the smoothed signal; 1: its slope; ..., from 0 to 32 (default 0)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        savgol:21  # smooths, and keeps peaks
        savgol:31:order=4:derivative=1  # the slope of a noisy curve
    """

def resample(rate: Union[float, str] = ..., *, quality: Literal['fast', 'hq', 'vhq'] = ..., name: str = ...) -> Stage:
    r"""Another rate, with times kept.

    To bring signals to one rate. What the new rate has no room for is filtered out.

    Parameters:
        rate: the new rate, as 48kHz, from 0 to 1e+09 Hz
        quality: of the filter: passes 0.8, 0.91 or 0.95 of the lower band, and stops what is beyond it by 80, 135 or 150 dB (default hq)
        name: a name for the stage in results and reports

    Examples:
        resample:48kHz  # the rate of films, from any other
        resample:16kHz:quality=fast  # for a recogniser of speech
    """

def decimate(factor: int = ..., *, quality: Literal['fast', 'hq', 'vhq'] = ..., name: str = ...) -> Stage:
    r"""One frame of several, behind a filter.

    For signals that are sampled faster than they change, whatever their rate.

    Parameters:
        factor: of so many frames one stays, from 1 to 10000 (default 2)
        quality: of the filter: passes 0.8, 0.91 or 0.95 of the lower band, and stops what is beyond it by 80, 135 or 150 dB (default hq)
        name: a name for the stage in results and reports

    Examples:
        decimate:8  # an eighth of the rate
    """

def detrend(type: Literal['linear', 'constant'] = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""Takes the line away that a signal drifts along, or its mean.

    Before spectra and statistics of what was measured. dcblock does it while a signal goes on.

    Parameters:
        type: what goes: the nearest line, or the mean (default linear)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        detrend  # the drift of a sensor away
        detrend:constant  # the mean away
    """

def mix(m: Any = ..., to: Literal['matrix', 'mono', 'stereo'] = ..., *, channels: Any = ..., name: str = ...) -> Stage:
    r"""Channels of channels: mono, stereo, some of them, or by a matrix.

    To bring many channels to few, to choose or swap some, or to take differences as leads of an EEG.

    Parameters:
        m: a row for each channel that comes out, a number for each that goes in
        to: matrix: that of m; mono: the mean of all channels; stereo: two, of one or two (default matrix)
        channels: which ones come out, in which order, from 1, from 1 to 1024
        name: a name for the stage in results and reports

    Examples:
        mix:mono  # one channel, the mean of all
        mix:[0.5 0.5; 0.5 -0.5]  # middle and side of two channels
        mix:channels=[2 1]  # left and right change places
        mix:channels=[1 1 2]  # the first one twice
    """

def fade(in_: Union[float, str] = ..., *, out: Union[float, str] = ..., shape: Literal['linear', 'smooth'] = ..., channels: str = ..., name: str = ...) -> Stage:
    r"""From silence at the beginning, into it at the end.

    Where a part is cut out, and would begin or end with a click.

    Parameters:
        in_: how long it takes from 0 to all, from 0 to 1e+09 s (default 10ms)
        out: how long at the end back to 0, from 0 to 1e+09 s (default 10ms)
        shape: linear: in equal steps; smooth: begins and ends slowly (default linear)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        fade  # no click at either end
        fade:2s:out=5s:shape=smooth  # in over two seconds, out over five
        crop:1s-3s,fade:0:out=50ms  # a part, with a soft end
    """

def dither(bits: int = ..., *, channels: str = ..., name: str = ...) -> Stage:
    r"""Noise of a step, so that rounding to few bits is not heard as distortion.

    As the last stage before a file of fewer bits: quiet sounds end in hiss, not in distortion.

    Parameters:
        bits: of the samples that will be stored, from 2 to 24 (default 16)
        channels: act on these channels only, as 0+2, the first being 0; default: all
        name: a name for the stage in results and reports

    Examples:
        dither:16  # before a file of 16 bits is written, with --sample s16
        gain:-3dB,dither:8  # the last stage, so that nothing comes behind it
    """

